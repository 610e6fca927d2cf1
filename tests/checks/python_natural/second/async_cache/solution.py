import asyncio
import functools
from collections import OrderedDict, namedtuple

CacheInfo = namedtuple("CacheInfo", "hits misses currsize")


def async_cache(maxsize=128):
    def decorate(function):
        results = OrderedDict()
        running = {}
        counts = {"hits": 0, "misses": 0}

        async def run(key, args, kwargs):
            try:
                value = await function(*args, **kwargs)
                results[key] = value
                if len(results) > maxsize:
                    results.popitem(last=False)
                return value
            finally:
                running.pop(key, None)

        @functools.wraps(function)
        async def wrapper(*args, **kwargs):
            key = (args, tuple(sorted(kwargs.items())))
            if key in results:
                counts["hits"] += 1
                results.move_to_end(key)
                return results[key]
            if key in running:
                counts["hits"] += 1
            else:
                counts["misses"] += 1
                running[key] = asyncio.ensure_future(run(key, args, kwargs))
            return await asyncio.shield(running[key])

        def cache_clear():
            results.clear()
            counts.update(hits=0, misses=0)

        wrapper.cache_clear = cache_clear
        wrapper.cache_info = lambda: CacheInfo(counts["hits"], counts["misses"], len(results))
        return wrapper

    return decorate
