import pandas as pd


def clean_readings(frame):
    frame["sensor"] = frame["sensor"].str.lower()
    frame["time"] = pd.to_datetime(frame["time"], errors="coerce")
    frame["value"] = pd.to_numeric(frame["value"], errors="coerce")
    frame = frame.dropna(subset=["time"]).drop_duplicates(["sensor", "time"])
    frame = frame.sort_values(["sensor", "time"])
    frame["value"] = frame["value"].ffill()
    return frame


def daily_summary(frame):
    clean = clean_readings(frame)
    clean["day"] = clean["time"].dt.date
    return clean.groupby(["sensor", "day"])["value"].agg(["min", "max", "mean", "count"])
