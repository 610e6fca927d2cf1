def deep_merge(base, *overrides):
    result = dict(base)
    for override in overrides:
        for key, value in override.items():
            if value is None:
                result.pop(key, None)
            elif isinstance(value, dict) and isinstance(result.get(key), dict):
                result[key].update(value)
            else:
                result[key] = value
    return result
