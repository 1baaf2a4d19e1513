// Bars made of parts, by category in the order given.

import type { TopLevelSpec } from 'vega-lite';
import { series_shade } from '../theme';
import { format_number } from '../units';
import { NotDrawable } from './data';
import { category_names, measure, tick_count, type Panel } from './frame';

const kNarrow = 520; // pixels: below, the totals beside the bars give way to the bars

/** Horizontal bars with their total beside them; a missing part leaves its bar without a total. */
export function stacked_bars(panel: Panel): TopLevelSpec {
  const { step, title, text } = measure(panel);
  const places = category_names(panel.plot.x);
  const unit = step.name ? ` ${step.name}` : '';
  const totals = places.map((place, i) => {
    const parts = panel.lines.map((line) => line.values[i]);
    if (parts.some((part) => part != null && part < 0))
      throw new NotDrawable(`\u201c${place}\u201d has a negative part.`);
    const missing = parts.some((part) => part == null);
    const total = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / step.factor;
    return { place, total, text: missing ? 'n/a' : format_number(total) };
  });
  const values = panel.lines.flatMap((line, row) =>
    line.values.flatMap((value, i) =>
      value === null
        ? []
        : [
            {
              place: places[i]!,
              line: line.label,
              row,
              value: value / step.factor,
              tip: `${places[i]}, ${line.label}: ${text(value)}${unit}`,
            },
          ],
    ),
  );
  const y = {
    field: 'place',
    type: 'nominal',
    sort: null,
    scale: { domain: places },
    axis: { title: null, labelLimit: panel.width * 0.38, labelColor: 'var(--ink)' },
  };
  const height = Math.max(12, Math.min(26, 640 / places.length));
  return {
    width: panel.width,
    height: height * places.length,
    autosize: { type: 'fit-x', contains: 'padding' },
    layer: [
      {
        data: { values },
        mark: { type: 'bar', height: Math.max(8, height - 8) },
        encoding: {
          y,
          x: {
            field: 'value',
            type: 'quantitative',
            stack: 'zero',
            title,
            axis: { tickCount: tick_count(panel.width * 0.6) },
          },
          order: { field: 'row', type: 'quantitative' },
          color: {
            field: 'line',
            type: 'nominal',
            sort: null,
            scale: {
              domain: panel.lines.map((line) => line.label),
              range: panel.lines.map((_, i) => series_shade(i)),
            },
          },
          tooltip: { field: 'tip', type: 'nominal' },
        },
      },
      ...(panel.width >= kNarrow
        ? [
            {
              data: { values: totals },
              mark: { type: 'text', align: 'left', dx: 6, fontSize: 12, color: 'var(--ink)' },
              encoding: {
                y,
                x: { field: 'total', type: 'quantitative' },
                text: { field: 'text' },
              },
            },
          ]
        : []),
    ],
  } as TopLevelSpec;
}
