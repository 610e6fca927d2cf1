import functools
from collections import namedtuple

CacheInfo = namedtuple("CacheInfo", "hits misses currsize")


def async_cache(maxsize=128):
    def decorate(function):
        results = {}
        counts = [0, 0]

        @functools.wraps(function)
        async def wrapper(*args, **kwargs):
            key = (args, tuple(kwargs.items()))
            if key in results:
                counts[0] += 1
                return results[key]
            counts[1] += 1
            results[key] = await function(*args, **kwargs)
            if len(results) > maxsize:
                del results[next(iter(results))]
            return results[key]

        wrapper.cache_clear = results.clear
        wrapper.cache_info = lambda: CacheInfo(*counts, len(results))
        return wrapper

    return decorate
