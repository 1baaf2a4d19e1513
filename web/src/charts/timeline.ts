// What ran where and when: a bar for each task, in the lane of its processor.

import type { TopLevelSpec } from 'vega-lite';
import { series_shade } from '../theme';
import { distinct, read_column, same_length, scaled, texts, type Reader } from './columns';
import { NotDrawable } from './data';
import { tick_count } from './frame';

const kTallest = 640; // pixels of all lanes

export const read_timeline: Reader = (result, chart) => {
  const lane = read_column(result, chart.x, 'lanes');
  const start = read_column(result, chart.y[0], 'starts');
  const end = read_column(result, chart.y[1], 'ends');
  const name = read_column(result, chart.name, 'names');
  if (same_length(lane, start, end, name) === 0) throw new NotDrawable('nothing ran.');
  const lanes = texts(lane);
  const names = texts(name);
  const from = scaled(start, chart.x_label ?? '', end);
  const to = scaled(end, '', start);
  const values = lanes.flatMap((each, i) => {
    const [a, b] = [from.values[i], to.values[i]];
    if (a == null || b == null) return [];
    return [
      {
        lane: each,
        start: a,
        end: b,
        name: names[i]!,
        tip: `${names[i]}, ${each}: ${from.text(i)} to ${to.text(i)}`,
      },
    ];
  });
  if (values.length === 0) throw new NotDrawable('no task has both a start and an end.');
  const all_lanes = distinct(lanes);
  const all_names = distinct(names);
  const height = Math.max(5, Math.min(24, kTallest / all_lanes.length));
  return {
    names: all_names,
    notes: [],
    spec: (width) =>
      ({
        data: { values },
        width,
        height: height * all_lanes.length,
        autosize: { type: 'fit-x', contains: 'padding' },
        mark: { type: 'bar', height: Math.max(4, height - 4), minBandSize: 1 },
        encoding: {
          y: {
            field: 'lane',
            type: 'nominal',
            sort: null,
            scale: { domain: all_lanes },
            axis: {
              title: null,
              labelLimit: width * 0.3,
              labelColor: 'var(--ink)',
              labelOverlap: true,
            },
          },
          x: {
            field: 'start',
            type: 'quantitative',
            title: from.title,
            scale: { zero: false, nice: false },
            axis: { tickCount: tick_count(width) },
          },
          x2: { field: 'end' },
          color: {
            field: 'name',
            type: 'nominal',
            sort: null,
            scale: { domain: all_names, range: all_names.map((_, i) => series_shade(i)) },
          },
          tooltip: { field: 'tip', type: 'nominal' },
        },
      }) as TopLevelSpec,
  };
};
