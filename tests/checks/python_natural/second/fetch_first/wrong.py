import anyio


async def first_success(functions):
    if not functions:
        raise ValueError("no functions")
    errors = []
    for function in functions:
        try:
            return await function()
        except Exception as error:
            errors.append(error)
    raise ExceptionGroup("all failed", errors)


async def with_timeout(function, seconds, default=None):
    with anyio.fail_after(seconds):
        return await function()
    return default
