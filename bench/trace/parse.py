#!/usr/bin/env python3
"""Traces to tables by Python's json and pandas, beside `greenline trace info` on the same files.

    bench/trace/parse.py GREENLINE FILE.json.gz...

Prints seconds and the ratio. pandas is optional: without it only json is measured.
"""
import gzip
import json
import subprocess
import sys
import time

try:
    import pandas
except ImportError:
    pandas = None


def main():
    greenline, *files = sys.argv[1:]
    for name in files:
        start = time.perf_counter()
        with gzip.open(name) as stream:
            events = json.load(stream)["traceEvents"]
        if pandas is not None:
            pandas.DataFrame(events)
        peer = time.perf_counter() - start
        start = time.perf_counter()
        subprocess.run([greenline, "trace", "info", name, "--json"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ours = time.perf_counter() - start
        what = "json + pandas" if pandas is not None else "json alone"
        print(f"{name}: {what} {peer:.2f} s, greenline {ours:.3f} s, ratio {peer / ours:.1f}")


if __name__ == "__main__":
    main()
