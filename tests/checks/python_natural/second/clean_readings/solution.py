import pandas as pd

COLUMNS = ["sensor", "time", "value"]


def clean_readings(frame):
    for column in COLUMNS:
        if column not in frame.columns:
            raise KeyError(column)
    result = frame[COLUMNS].copy()
    result["sensor"] = result["sensor"].str.strip().str.lower()
    result["time"] = pd.to_datetime(result["time"], errors="coerce")
    result["value"] = pd.to_numeric(result["value"], errors="coerce")
    result = result.dropna(subset=["time"])
    result = result.drop_duplicates(["sensor", "time"], keep="last").sort_values(["sensor", "time"])
    result["value"] = result.groupby("sensor")["value"].ffill(limit=1)
    return result.dropna(subset=["value"]).reset_index(drop=True)


def daily_summary(frame):
    clean = clean_readings(frame)
    days = clean["time"].dt.date.rename("day")
    summary = clean.groupby(["sensor", days])["value"].agg(["min", "max", "mean", "count"])
    return summary.round({"mean": 2})
