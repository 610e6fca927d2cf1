from copy import deepcopy


def deep_merge(base, *overrides):
    result = deepcopy(base)
    for override in overrides:
        _merge_into(result, override)
    return result


def _merge_into(target, override):
    for key, value in override.items():
        if value is None:
            target.pop(key, None)
        elif isinstance(value, dict):
            if not isinstance(target.get(key), dict):
                target[key] = {}
            _merge_into(target[key], value)
        else:
            target[key] = deepcopy(value)
