// Bars, and bars with intervals, by category in the order given.

import type { TopLevelSpec } from 'vega-lite';
import { series_var } from '../theme';
import { category_names, colour_scale, measure, tick_count, type Panel } from './frame';

interface Row {
  place: string;
  line: string;
  value: number;
  low: number | null;
  high: number | null;
  colour: string;
  text: string;
  tip: string;
}

const kLongName = 10; // characters: longer names stand beside horizontal bars
const kFewBars = 12; // more bars than this leave no room for a number on each
const kNarrow = 520; // pixels: below, the numbers beside the bars give way to the bars

function rows_of(panel: Panel, signs: boolean): Row[] {
  const { step, text } = measure(panel);
  const places = category_names(panel.plot.x);
  const unit = step.name ? ` ${step.name}` : '';
  return panel.lines.flatMap((line) => {
    const own = series_var(panel.plot.lines.indexOf(line));
    return line.values.flatMap((value, i): Row[] => {
      if (value === null) return [];
      const low = line.low?.[i] ?? null;
      const high = line.high?.[i] ?? null;
      const range = low !== null && high !== null ? ` (${text(low)} to ${text(high)})` : '';
      const place = places[i]!;
      return [
        {
          place,
          line: line.label,
          value: value / step.factor,
          low: low === null ? null : low / step.factor,
          high: high === null ? null : high / step.factor,
          colour: signs ? (value < 0 ? 'var(--less)' : 'var(--more)') : own,
          text: `${text(value)}${range}`,
          tip: `${place}, ${line.label}: ${text(value)}${unit}${range}`,
        },
      ];
    });
  });
}

/** Horizontal bars; an interval is a rule through the bar's end, with caps. */
export function horizontal_bars(panel: Panel): TopLevelSpec {
  const places = category_names(panel.plot.x);
  const several = panel.lines.length > 1;
  const ranged = panel.lines.some((line) => line.low);
  const signs = !several && panel.lines[0]!.values.some((value) => value !== null && value < 0);
  const thick = ranged ? 10 : 14;
  const height = places.length * (several ? panel.lines.length * (thick + 3) + 10 : thick + 16);
  const y = { field: 'place', type: 'nominal' as const, sort: null, scale: { domain: places } };
  const offset = several ? { yOffset: { field: 'line', sort: null } } : {};
  const tooltip = { field: 'tip', type: 'nominal' as const };
  const names = {
    ...y,
    axis: { title: null, labelLimit: panel.width * 0.38, labelColor: 'var(--ink)' },
  };
  const x = {
    field: 'value',
    type: 'quantitative' as const,
    title: measure(panel).title,
    axis: { tickCount: tick_count(panel.width * 0.6) },
  };
  const interval = { x: { field: 'low', type: 'quantitative' as const }, x2: { field: 'high' } };
  const cap = (field: 'low' | 'high') => ({
    transform: [{ filter: `isValid(datum.low) && isValid(datum.high)` }],
    mark: { type: 'tick' as const, thickness: 1.5, size: thick - 2, color: 'var(--ink)' },
    encoding: { y: names, ...offset, x: { field, type: 'quantitative' as const } },
  });
  // Beside its bar where the bar's end is the whole story, else in a column of their own.
  const beside = !ranged && !signs && !several;
  const numbers = {
    mark: {
      type: 'text' as const,
      align: 'left' as const,
      dx: beside ? 6 : 10,
      fontSize: 12,
      color: 'var(--ink)',
    },
    encoding: {
      y: names,
      ...offset,
      x: beside ? x : { value: 'width' as const },
      text: { field: 'text' },
    },
  };
  return {
    data: { values: rows_of(panel, signs) as unknown as Record<string, unknown>[] },
    width: panel.width,
    height,
    autosize: { type: 'fit-x', contains: 'padding' },
    layer: [
      {
        mark: { type: 'bar', height: thick, opacity: ranged ? 0.75 : 1 },
        encoding: {
          y: names,
          ...offset,
          x,
          tooltip,
          color: several
            ? { field: 'line', type: 'nominal', sort: null, scale: colour_scale(panel) }
            : { field: 'colour', type: 'nominal', scale: null },
        },
      },
      ...(ranged
        ? [
            {
              transform: [{ filter: `isValid(datum.low) && isValid(datum.high)` }],
              mark: { type: 'rule' as const, strokeWidth: 1.5, color: 'var(--ink)' },
              encoding: { y: names, ...offset, ...interval, tooltip },
            },
            cap('low'),
            cap('high'),
          ]
        : []),
      {
        mark: { type: 'rule', color: 'var(--ink-soft)' },
        encoding: { x: { datum: 0, type: 'quantitative' } },
      },
      ...(panel.width >= kNarrow ? [numbers] : []),
    ],
  } as TopLevelSpec;
}

/** Vertical bars, grouped by line; a number on each while there are few. */
export function vertical_bars(panel: Panel): TopLevelSpec {
  const places = category_names(panel.plot.x);
  const several = panel.lines.length > 1;
  const rows = rows_of(panel, false);
  const turned = places.join('').length * 7 > panel.width - 80;
  const x = {
    field: 'place',
    type: 'nominal' as const,
    sort: null,
    scale: { domain: places, paddingInner: 0.35, paddingOuter: 0.2 },
    axis: {
      title: panel.plot.chart.x_label || null,
      labelAngle: turned ? -45 : 0,
      labelOverlap: true,
      grid: false,
    },
  };
  const offset = several ? { xOffset: { field: 'line', sort: null } } : {};
  const y = {
    field: 'value',
    type: 'quantitative' as const,
    title: measure(panel).title,
    axis: { tickCount: 5 },
  };
  const number = {
    mark: { type: 'text' as const, dy: -7, fontSize: 12, color: 'var(--ink)' },
    encoding: { x, ...offset, y, text: { field: 'text' } },
  };
  const positive = rows.every((row) => row.value >= 0);
  return {
    data: { values: rows as unknown as Record<string, unknown>[] },
    width: panel.width,
    height: 240,
    autosize: { type: 'fit-x', contains: 'padding' },
    layer: [
      {
        mark: { type: 'bar' },
        encoding: {
          x,
          ...offset,
          y,
          tooltip: { field: 'tip', type: 'nominal' },
          color: several
            ? { field: 'line', type: 'nominal', sort: null, scale: colour_scale(panel) }
            : { field: 'colour', type: 'nominal', scale: null },
        },
      },
      {
        mark: { type: 'rule', color: 'var(--ink-soft)' },
        encoding: { y: { datum: 0, type: 'quantitative' } },
      },
      ...(rows.length <= kFewBars && positive ? [number] : []),
    ],
  } as TopLevelSpec;
}

/** Names that fit below a bar make vertical bars; longer names and intervals horizontal ones. */
export function bars(panel: Panel): TopLevelSpec {
  const { x, chart } = panel.plot;
  const long = x.type === 'category' && x.values.some((name) => name.length > kLongName);
  const ranged = panel.lines.some((line) => line.low);
  return chart.kind === 'interval_bars' || long || ranged
    ? horizontal_bars(panel)
    : vertical_bars(panel);
}
