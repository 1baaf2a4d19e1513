#!/usr/bin/env python3
"""Derive the month-by-hour grid profile that ships in data/grid/ from a year of hourly generation.

Usage:
  grid_profiles.py INPUT.csv REGION OUTPUT.csv [--factors grid_factors.csv] [--factor-set NAME]

INPUT has the columns datetime_utc,WND,SUN,WAT,OIL,NG,COL,NUC,OTH: MWh per hour, UTC, one row per
hour of one whole calendar year. OUTPUT is a catalogue file (one fact a row):

  REGION.{wind,solar,intensity}.mMM.hHH   month MM (1..12), UTC hour HH (0..23)
    value     the mean over the days of that month at that hour
    low,high  the 5th and 95th percentile over the same days (linear interpolation)
  wind and solar are shares of the largest hour in the file; intensity is the factor-weighted mean
  over all generation of the hour, in gCO2e/kWh.

The stamps are read as the start of the hour. Nothing is repaired: a gap, a duplicate, a negative or
a non-numeric cell stops the script with the row. Needs the Python standard library only.
"""

import argparse
import calendar
import csv
import datetime
import math
import sys
from pathlib import Path

FUELS = ("WND", "SUN", "WAT", "OIL", "NG", "COL", "NUC", "OTH")
HEADER = ("id", "quantity", "value", "unit", "low", "high", "source", "year", "note")
SOURCE = "eia930"
REGIONS = {
    "CISO": ("California Independent System Operator", "America/Los_Angeles"),
    "ERCO": ("Electric Reliability Council of Texas", "America/Chicago"),
    "ISNE": ("ISO New England", "America/New_York"),
    "PJM": ("PJM Interconnection", "America/New_York"),
}
# Year-to-year spread of annual intensity around the one year that is profiled. No source gives it for
# these regions, so it is a stated assumption: one year's mix stands in for another's within 10 %.
LEVEL_SPREAD = 0.10


class InputError(Exception):
    pass


def read_factors(path, factor_set):
    """Emission factor of each fuel in gCO2e/kWh."""
    factors = {}
    with open(path, newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            entry, _, fuel = row["id"].rpartition(".")
            if entry == factor_set and fuel in FUELS:
                factors[fuel] = float(row["value"])
    missing = [fuel for fuel in FUELS if fuel not in factors]
    if missing:
        raise InputError(f"{path}: set '{factor_set}' has no factor for {', '.join(missing)}")
    return factors


def read_generation(path):
    """List of (instant, {fuel: MWh}) with consecutive hours over one calendar year."""
    hours = []
    with open(path, newline="", encoding="utf-8-sig") as handle:
        reader = csv.DictReader(handle)
        missing = [c for c in ("datetime_utc",) + FUELS if c not in (reader.fieldnames or ())]
        if missing:
            raise InputError(f"{path}:1: missing column {', '.join(missing)}")
        for row in reader:
            where = f"{path}:{reader.line_num}"
            try:
                instant = datetime.datetime.fromisoformat(row["datetime_utc"].replace("Z", "+00:00"))
                energy = {fuel: float(row[fuel]) for fuel in FUELS}
            except (ValueError, TypeError) as error:
                raise InputError(f"{where}: {error}") from None
            if instant.utcoffset() != datetime.timedelta(0):
                raise InputError(f"{where}: expected a UTC stamp, got {row['datetime_utc']}")
            for fuel, value in energy.items():
                if not math.isfinite(value) or value < 0:
                    raise InputError(f"{where}: {fuel} is {value}, expected a finite number >= 0")
            if sum(energy.values()) <= 0:
                raise InputError(f"{where}: no generation in this hour, intensity is undefined")
            if hours and instant != hours[-1][0] + datetime.timedelta(hours=1):
                raise InputError(f"{where}: {instant} does not follow {hours[-1][0]} by one hour")
            hours.append((instant, energy))
    if not hours:
        raise InputError(f"{path}: no rows")
    year = hours[0][0].year
    expected = 8784 if calendar.isleap(year) else 8760
    first = datetime.datetime(year, 1, 1, tzinfo=datetime.timezone.utc)
    if hours[0][0] != first or len(hours) != expected:
        raise InputError(f"{path}: expected {expected} hours from {first}, got {len(hours)}")
    return hours


def percentile(ordered, share):
    """Linear interpolation between order statistics (type 7)."""
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def hourly_series(hours, factors):
    """{name: [value of each hour]} for wind, solar and intensity."""
    peak = {fuel: max(energy[fuel] for _, energy in hours) for fuel in ("WND", "SUN")}
    for fuel, value in peak.items():
        if value <= 0:
            raise InputError(f"{fuel} is zero in every hour: there is no profile to derive")
    return {
        "wind": [energy["WND"] / peak["WND"] for _, energy in hours],
        "solar": [energy["SUN"] / peak["SUN"] for _, energy in hours],
        "intensity": [
            math.fsum(factors[fuel] * energy[fuel] for fuel in FUELS) / math.fsum(energy.values())
            for _, energy in hours
        ],
    }


def number(value):
    return f"{value:.6g}"


def profile_row(region, name, month, hour, values, year, quantity, unit):
    ordered = sorted(values)
    mean = math.fsum(values) / len(values)
    low, high = percentile(ordered, 0.05), percentile(ordered, 0.95)
    note = f"[modelled] mean of {len(values)} days; low and high are their 5th and 95th percentile"
    if not low <= mean <= high:
        low, high = min(low, mean), max(high, mean)
        note += ", widened to hold the mean of a skewed hour"
    return (f"{region}.{name}.m{month:02d}.h{hour:02d}", quantity, number(mean), unit, number(low),
            number(high), SOURCE, year, note)


def profile(region, hours, factors, factor_set):
    year = hours[0][0].year
    long_name, timezone = REGIONS[region]
    yield (f"{region}.name", "name of the balancing authority", long_name, "text", "", "", SOURCE, year,
           "[datasheet] balancing-authority code of Form EIA-930")
    yield (f"{region}.timezone", "local time zone", timezone, "text", "", "", "tzdb", year,
           "[datasheet] IANA time zone in which the region's main load centre lives")
    yield (f"{region}.year", "calendar year of the profile", year, "1", "", "", SOURCE, year,
           "[datasheet] UTC year of the hourly records behind the profile")
    yield (f"{region}.stamp", "meaning of a time stamp in the records", "start", "text", "", "", SOURCE, year,
           "[assumed] stamps are read as the start of the hour; the records do not say")
    yield (f"{region}.factors", "emission factor set of the intensity", factor_set, "text", "", "", SOURCE,
           year, "[assumed] production mix without imports; average, not marginal, signal")
    yield (f"{region}.intensity_level", "annual intensity relative to the profiled year", 1, "1",
           number(1 - LEVEL_SPREAD), number(1 + LEVEL_SPREAD), SOURCE, year,
           "[assumed] another year lies within 10 % of this one; no source gives the spread")
    shapes = (
        ("wind", "wind generation as a share of its largest hour of the year", "1"),
        ("solar", "solar generation as a share of its largest hour of the year", "1"),
        ("intensity", "carbon intensity of generation", "gCO2e/kWh"),
    )
    series = hourly_series(hours, factors)
    for name, quantity, unit in shapes:
        cells = {}
        for (instant, _), value in zip(hours, series[name]):
            cells.setdefault((instant.month, instant.hour), []).append(value)
        for (month, hour), values in sorted(cells.items()):
            yield profile_row(region, name, month, hour, values, year, quantity, unit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input", type=Path)
    parser.add_argument("region", choices=sorted(REGIONS))
    parser.add_argument("output", type=Path)
    default_factors = Path(__file__).resolve().parent.parent / "data" / "grid_factors.csv"
    parser.add_argument("--factors", type=Path, default=default_factors)
    parser.add_argument("--factor-set", default="carbon-explorer")
    arguments = parser.parse_args()
    try:
        factors = read_factors(arguments.factors, arguments.factor_set)
        hours = read_generation(arguments.input)
        rows = list(profile(arguments.region, hours, factors, arguments.factor_set))
    except (InputError, OSError) as error:
        print(f"grid_profiles: {error}", file=sys.stderr)
        return 3
    with open(arguments.output, "w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
