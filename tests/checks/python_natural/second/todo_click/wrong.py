import json
from pathlib import Path

import click


@click.group()
@click.option("--file", "path", default="todo.json", type=click.Path())
@click.pass_context
def cli(context, path):
    context.obj = Path(path)


def load(path):
    return json.loads(path.read_text()) if path.exists() else []


@cli.command()
@click.argument("text")
@click.option("--priority", type=click.Choice(["low", "normal", "high"]), default="normal")
@click.pass_obj
def add(path, text, priority):
    tasks = load(path)
    tasks.append({"text": text, "priority": priority, "done": False})
    path.write_text(json.dumps(tasks))
    click.echo(f"Added #{len(tasks)}: {text}")


@cli.command("list")
@click.option("--all", "everything", is_flag=True)
@click.pass_obj
def list_(path, everything):
    for number, task in enumerate(load(path), 1):
        if everything or not task["done"]:
            mark = "x" if task["done"] else " "
            click.echo(f"[{mark}] {number} {task['text']}")


@cli.command()
@click.argument("numbers", nargs=-1, type=int)
@click.pass_obj
def done(path, numbers):
    tasks = load(path)
    for number in numbers:
        try:
            tasks[number - 1]["done"] = True
        except IndexError:
            raise click.ClickException(f"no task {number}")
        path.write_text(json.dumps(tasks))
        click.echo(f"Done: {tasks[number - 1]['text']}")


@cli.command()
@click.pass_obj
def clear(path):
    path.write_text("[]")
