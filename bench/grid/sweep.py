#!/usr/bin/env python3
"""The sweep of bench/grid/sweep.cpp in NumPy: all designs of an hour at once, hours in a loop.

What a careful user would write: arrays over designs, in place, single precision, no temporary that
can be avoided, as many designs as stay in the cache. Prints one line of JSON.

    sweep.py --designs 4096 --hours 4380
"""
import argparse
import json
import time

import numpy as np


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--designs", type=int, default=4096)
    parser.add_argument("--hours", type=int, default=4380)
    arguments = parser.parse_args()
    n, hours = arguments.designs, arguments.hours
    t = np.arange(hours)
    load = (50 + 2 * np.sin(t / 4)).astype(np.float32)
    wind = (np.maximum(0, np.sin(t / 3.81) + 0.7 * np.sin(t / 37.0)) / 1.7).astype(np.float32)
    solar = np.maximum(0, np.sin((t % 24 - 6) / 3.82)).astype(np.float32)
    intensity = (260 + 120 * np.cos(t / 3.9)).astype(np.float32)
    design = np.arange(n)
    capacity = [((design * k) % 97 * 4.0).astype(np.float32) for k in (31, 17, 53)]
    wind_mw, solar_mw, battery = capacity
    charge_limit, discharge_limit = battery * np.float32(0.5 / 0.97), battery * np.float32(0.5 / 1.04)
    charge_per_hour, discharge_per_hour = np.float32(1 / 1.01), np.float32(1 / 1.05)
    state = battery.copy()
    net, other, charge, discharge = (np.empty(n, np.float32) for _ in range(4))
    grid, carbon, curtailed, given = (np.zeros(n) for _ in range(4))
    start = time.perf_counter()
    for h in range(hours):
        np.multiply(wind_mw, wind[h], out=net)
        np.multiply(solar_mw, solar[h], out=other)
        net += other
        net -= load[h]
        np.subtract(battery, state, out=charge)
        charge *= charge_per_hour
        np.minimum(charge, charge_limit, out=charge)
        np.maximum(net, 0, out=other)
        np.minimum(charge, other, out=charge)
        other -= charge
        curtailed += other
        np.multiply(state, discharge_per_hour, out=discharge)
        np.minimum(discharge, discharge_limit, out=discharge)
        np.negative(net, out=net)
        np.maximum(net, 0, out=net)
        np.minimum(discharge, net, out=discharge)
        net -= discharge
        grid += net
        net *= intensity[h]
        carbon += net
        given += discharge
        charge *= np.float32(0.97)
        state += charge
        discharge *= np.float32(1.04)
        state -= discharge
    passed = time.perf_counter() - start
    print(json.dumps({"numpy": np.__version__, "design_hours_per_s": n * hours / passed,
                      "grid_mwh": float(grid.sum())}))


if __name__ == "__main__":
    main()
