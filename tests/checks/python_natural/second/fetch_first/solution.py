import anyio


async def first_success(functions):
    functions = list(functions)
    if not functions:
        raise ValueError("no functions")
    errors = {}
    results = []

    async def run(index, function, scope):
        try:
            result = await function()
        except Exception as error:
            errors[index] = error
        else:
            results.append(result)
            scope.cancel()

    async with anyio.create_task_group() as group:
        for index, function in enumerate(functions):
            group.start_soon(run, index, function, group.cancel_scope)
    if results:
        return results[0]
    raise ExceptionGroup("all failed", [errors[index] for index in sorted(errors)])


async def with_timeout(function, seconds, default=None):
    with anyio.move_on_after(seconds):
        return await function()
    return default
