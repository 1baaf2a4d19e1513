#!/usr/bin/env python3
"""The power metrics of a tree of MLPerf sessions in plain Python: how fast is that?

What people write for it: a line at a time, the json module for every MLLOG line, strptime for every
time, float for every number. The rules are those of docs/methods/mlperf-power.md. Prints one line
of JSON: the seconds of the fastest pass, the number of sessions and the sum of their metrics.

    plain.py --passes 3 TREE
"""
import argparse
import array
import datetime
import json
import os
import statistics
import struct
import time

TOKEN = ":::MLLOG "


def seconds(text):
    at = datetime.datetime.strptime(text, "%m-%d-%Y %H:%M:%S.%f")
    return at.replace(tzinfo=datetime.timezone.utc).timestamp()


def records(path):
    with open(path, errors="replace") as lines:
        for line in lines:
            at = line.find(TOKEN)
            if at >= 0:
                yield json.loads(line[at + len(TOKEN):])


def inference(folder):
    values = {}
    for record in records(os.path.join(folder, "mlperf_log_detail.txt")):
        values.setdefault(record["key"], record["value"])
    begin, end = seconds(values["power_begin"]), seconds(values["power_end"])
    watts = []
    with open(os.path.join(folder, "spl.txt")) as lines:
        for line in lines:
            fields = line.split(",")
            if fields[0] == "Time" and fields[2] == "Watts":
                value = float(fields[3])
                if begin < seconds(fields[1]) < end and value > 0:
                    watts.append(value)
    power = sum(watts) / len(watts)
    scenario = folder.split(os.sep)[-3].lower()
    if scenario in ("offline", "server"):
        return power
    if "result_query_count" not in values:
        return power / values["result_qps_with_loadgen_overhead"]
    inferred = scenario == "multistream" and values["effective_scenario"] == "SingleStream"
    return power * (end - begin) * 1000 * (8 if inferred else 1) / values["result_query_count"]


def log_energy(path, length):
    log = sorted(records(path), key=lambda record: record["time_ms"])
    first = {}
    for record in log:
        first.setdefault(record["key"], record)
    factor = first["conversion_eff"]["value"] if "conversion_eff" in first else 1
    if "interconnect_power_est" in first:
        return factor * first["interconnect_power_est"]["value"] * length / 1000
    readings = [record for record in log if record["key"] == "power_reading"]
    start = first["power_measurement_start"]["time_ms"]
    stop = first["power_measurement_stop"]["time_ms"]
    if stop <= start:
        stop = readings[-1]["time_ms"]
    area, previous = 0, start
    for reading in readings:
        if reading["time_ms"] <= stop:
            area += reading["value"] * (reading["time_ms"] - previous)
            previous = reading["time_ms"]
    return factor * area * length / (stop - start) / 1000


def training(folder, names):
    runs = []
    for name in names:
        first = {}
        for record in records(os.path.join(folder, name)):
            first.setdefault(record["key"], record)
        length = first["run_stop"]["time_ms"] - first["run_start"]["time_ms"]
        power = os.path.join(folder, "power", name[:-4])
        runs.append((length, sum(log_energy(os.path.join(power, log), length)
                                 for log in sorted(os.listdir(power)) if log.endswith(".txt"))))
    runs.sort()
    dropped = 4 if os.path.basename(folder) == "unet3d" else 1
    counted = [energy for _, energy in runs[dropped:-dropped]]
    scaling = os.path.join(folder, "scaling.json")
    factor = 1
    if os.path.exists(scaling):
        with open(scaling) as file:
            factor = json.load(file)["scaling_factor"]
    return factor * sum(counted) / len(counted) / 1000


def tiny(folder):
    with open(os.path.join(folder, "trace1-energy.bin"), "rb") as file:
        data = file.read()
    period = 1 / struct.unpack("<f", data[1:5])[0]
    with open(os.path.join(folder, "trace1-timestamps.json")) as file:
        stamps = json.load(file)
    with open(os.path.join(folder, "log.txt")) as file:
        inferences = int(file.read().split("key[iterInfer]-val[")[1].split("]")[0])
    sums = [0.0] * len(stamps)
    at, window = 0.0, 0
    for energy in array.array("f", data[5:]):
        while window < len(stamps) and at >= stamps[window]:
            window += 1
        if window == len(stamps):
            break
        sums[window] += energy
        at += period
    return statistics.median(sums[2::2]) / inferences


def score(tree):
    metrics = []
    for folder, folders, names in os.walk(tree):
        folders[:] = [name for name in folders if name != "ranging"]
        results = sorted(n for n in names if n.startswith("result_") and n.endswith(".txt"))
        if "trace1-energy.bin" in names:
            metrics.append(tiny(folder))
        elif "spl.txt" in names:
            metrics.append(inference(folder))
        elif results and "power" in folders:
            metrics.append(training(folder, results))
            folders[:] = []
    return metrics


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("--passes", type=int, default=3)
    arguments = parser.parse_args()
    fastest = None
    for _ in range(arguments.passes):
        start = time.perf_counter()
        metrics = score(os.path.abspath(arguments.tree))
        passed = time.perf_counter() - start
        fastest = passed if fastest is None else min(fastest, passed)
    print(json.dumps({"seconds": fastest, "sessions": len(metrics), "sum": sum(metrics)}))


if __name__ == "__main__":
    main()
