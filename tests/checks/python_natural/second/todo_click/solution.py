import json
from pathlib import Path

import click


class Store:
    def __init__(self, path):
        self.path = Path(path)
        self.data = json.loads(self.path.read_text()) if self.path.exists() else {"next": 1, "tasks": []}

    @property
    def tasks(self):
        return self.data["tasks"]

    def save(self):
        self.path.write_text(json.dumps(self.data, indent=2))


@click.group()
@click.option("--file", "path", default="todo.json", envvar="TODO_FILE", type=click.Path(dir_okay=False))
@click.pass_context
def cli(context, path):
    context.obj = Store(path)


@cli.command()
@click.argument("text")
@click.option("--priority", type=click.Choice(["low", "normal", "high"]), default="normal")
@click.pass_obj
def add(store, text, priority):
    number = store.data["next"]
    store.data["next"] = number + 1
    store.tasks.append({"number": number, "text": text, "priority": priority, "done": False})
    store.save()
    click.echo(f"Added #{number}: {text}")


@cli.command("list")
@click.option("--all", "everything", is_flag=True)
@click.pass_obj
def list_(store, everything):
    order = {"high": 0, "normal": 1, "low": 2}
    tasks = [task for task in store.tasks if everything or not task["done"]]
    if not tasks:
        click.echo("Nothing to do.")
    for task in sorted(tasks, key=lambda task: (order[task["priority"]], task["number"])):
        mark = "x" if task["done"] else " "
        urgent = " !" if task["priority"] == "high" else ""
        click.echo(f"[{mark}] {task['number']} {task['text']}{urgent}")


@cli.command()
@click.argument("numbers", nargs=-1, required=True, type=int)
@click.pass_obj
def done(store, numbers):
    by_number = {task["number"]: task for task in store.tasks}
    for number in numbers:
        if number not in by_number:
            raise click.ClickException(f"no task {number}")
    for number in numbers:
        by_number[number]["done"] = True
        click.echo(f"Done: {by_number[number]['text']}")
    store.save()


@cli.command()
@click.confirmation_option(prompt="Delete all tasks?")
@click.pass_obj
def clear(store):
    store.tasks.clear()
    store.save()


if __name__ == "__main__":
    cli()
