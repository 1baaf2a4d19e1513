// Units are the suffixes of keys; people read them with the prefix that fits.

export interface Step {
  factor: number; // base units in one of this step
  name: string;
}

export interface Unit {
  id: string; // equal for two keys of one dimension
  steps: Step[]; // ascending; one step where prefixes make no sense
}

const kThin = '\u202f';
const kMinus = '\u2212';

const kPrefixes: [number, string][] = [
  [1e-9, 'n'],
  [1e-6, '\u00b5'],
  [1e-3, 'm'],
  [1, ''],
  [1e3, 'k'],
  [1e6, 'M'],
  [1e9, 'G'],
  [1e12, 'T'],
  [1e15, 'P'],
  [1e18, 'E'],
  [1e21, 'Z'],
  [1e24, 'Y'],
];

/** Steps of a unit with SI prefixes from `low` to `high`; `base` is one unprefixed unit. */
function si(name: string, low: string, high: string, base = 1): Step[] {
  const from = kPrefixes.findIndex(([, prefix]) => prefix === low);
  const to = kPrefixes.findIndex(([, prefix]) => prefix === high);
  return kPrefixes
    .slice(from, to + 1)
    .map(([factor, prefix]) => ({ factor: factor * base, name: prefix + name }));
}

const kBytes: Step[] = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'].map((name, power) => ({
  factor: 1024 ** power,
  name,
}));

const kTime: Step[] = [
  ...si('s', 'n', ''),
  { factor: 60, name: 'min' },
  { factor: 3600, name: 'h' },
  { factor: 86400, name: 'days' },
];

const kCarbon: Step[] = [
  { factor: 1e-6, name: 'mgCO2e' },
  { factor: 1e-3, name: 'gCO2e' },
  { factor: 1, name: 'kgCO2e' },
  { factor: 1e3, name: 'tCO2e' },
  { factor: 1e6, name: 'ktCO2e' },
  { factor: 1e9, name: 'MtCO2e' },
];

const kMoney: Step[] = [
  { factor: 1, name: 'USD' },
  { factor: 1e3, name: 'thousand USD' },
  { factor: 1e6, name: 'million USD' },
  { factor: 1e9, name: 'billion USD' },
];

const kCount: Step[] = [
  { factor: 1, name: '' },
  { factor: 1e6, name: 'million' },
  { factor: 1e9, name: 'billion' },
  { factor: 1e12, name: 'trillion' },
  { factor: 1e15, name: '10\u00b9\u2075' },
  { factor: 1e18, name: '10\u00b9\u2078' },
  { factor: 1e21, name: '10\u00b2\u00b9' },
  { factor: 1e24, name: '10\u00b2\u2074' },
];

const kBase: Record<string, Step[]> = {
  s: kTime,
  kwh: si('Wh', 'm', 'P', 1e-3),
  w: si('W', 'm', 'T'),
  kgco2e: kCarbon,
  bytes: kBytes,
  flop: si('FLOP', '', 'Y'),
  usd: kMoney,
};

// Rates of data are quoted in powers of ten, amounts of memory in powers of two.
const kRated: Record<string, Step[]> = { ...kBase, bytes: si('B', '', 'E') };

const kPer: Record<string, string> = {
  s: 's',
  kwh: 'kWh',
  w: 'W',
  usd: 'USD',
  bytes: 'B',
  flop: 'FLOP',
};

const kPlain: Unit = { id: '', steps: kCount };

/** The unit that a key's suffix names; plain numbers and ratios have an empty id. */
export function unit_of(key: string): Unit {
  const last =
    key
      .split('.')
      .filter((part) => !/^(values|low|high|\d+)$/.test(part))
      .pop() ?? '';
  if (/(^|_)g_per_kwh$/.test(last)) {
    return { id: 'g_per_kwh', steps: [{ factor: 1, name: 'gCO2e/kWh' }] };
  }
  const rate = /(?:^|_)([a-z0-9]+)_per_([a-z0-9]+)$/.exec(last);
  if (rate) {
    const [, above = '', below = ''] = rate;
    const per = kPer[below] ?? below;
    const steps = kRated[above];
    if (!steps)
      return { id: `${above}_per_${below}`, steps: si(`${above}/${per}`, '', 'G').map(gap) };
    return {
      id: `${above}_per_${below}`,
      steps: steps.map(({ factor, name }) => ({ factor, name: `${name}/${per}` })),
    };
  }
  const suffix = /(?:^|_)([a-z0-9]+)$/.exec(last)?.[1] ?? '';
  const steps = Object.hasOwn(kBase, suffix) ? kBase[suffix] : undefined;
  return steps ? { id: suffix, steps } : kPlain;
}

/** A prefix before a word needs a space: "k tokens/s", not "ktokens/s". */
function gap(step: Step): Step {
  return step.factor === 1
    ? step
    : { ...step, name: `${step.name[0]}${kThin}${step.name.slice(1)}` };
}

/** The step in which `magnitude` (base units) reads best; zero reads in the base unit. */
export function step_for(unit: Unit, magnitude: number): Step {
  const base = unit.steps.find((step) => step.factor === 1) ?? unit.steps[0]!;
  const size = Math.abs(magnitude);
  if (!(size > 0) || !Number.isFinite(size)) return base;
  let chosen = unit.steps[0]!;
  for (const step of unit.steps) {
    // "90 s" and "36 h" read better than "1.5 min" and "1.5 days".
    const threshold = ['min', 'h', 'days'].includes(step.name) ? 2 * step.factor : step.factor;
    if (size >= threshold) chosen = step;
  }
  return chosen;
}

/** `value` with three significant digits, a true minus sign and grouped thousands. */
export function format_number(value: number, digits = 3): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const sign = value < 0 ? kMinus : '';
  if (size < 1e-4 || size >= 1e15) {
    const [mantissa = '', exponent = '0'] = size.toExponential(digits - 1).split('e');
    return `${sign}${trim(mantissa)}\u00d710${superscript(Number(exponent))}`;
  }
  const rounded = Number(size.toPrecision(digits));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(rounded)));
  return sign + group(trim(rounded.toFixed(decimals)));
}

/** `value` with a fixed number of decimals, as the labels of one axis have. */
export function format_fixed(value: number, decimals: number): string {
  const text = group(Math.abs(value).toFixed(decimals));
  return value < 0 && Number(value.toFixed(decimals)) !== 0 ? kMinus + text : text;
}

function trim(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function group(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, kThin) : whole;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function superscript(exponent: number): string {
  const digits = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
  const text = [...String(Math.abs(exponent))].map((digit) => digits[Number(digit)]).join('');
  return (exponent < 0 ? '\u207b' : '') + text;
}

/** `value`, in base units, for a reader: "1.23 GWh". */
export function format_value(value: number, unit: Unit): string {
  const step = step_for(unit, value);
  const text = format_number(value / step.factor);
  return step.name ? `${text}\u00a0${step.name}` : text;
}

const kReadable = new Map<string, number>();
for (const steps of [...Object.values(kBase), si('B', '', 'E'), kCount]) {
  for (const step of steps) kReadable.set(step.name, step.factor);
}
for (const [factor, prefix] of kPrefixes) if (factor > 1) kReadable.set(prefix, factor);
kReadable.set('day', 86400).set('%', 0.01).set('us', 1e-6);

/**
 * The number at the head of a cell's text, in base units where the unit is known, so that
 * "900 MWh" sorts below "1.2 GWh". Undefined where the text does not start with a number.
 */
export function parse_quantity(text: string): number | undefined {
  const clean = text
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/[\u202f\u00a0\u2009]/g, ' ')
    .trim();
  const match =
    /^[$~\u2248<>\u2264\u2265]?\s*([+-]?(?:\d{1,3}(?:[ ,]\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s*(\S.*))?$/i.exec(
      clean,
    );
  if (!match || !/\d/.test(match[1] ?? '')) return undefined;
  const number = Number((match[1] ?? '').replace(/[ ,]/g, ''));
  if (Number.isNaN(number)) return undefined;
  const rest = match[2]?.trim() ?? '';
  if (rest === '') return number;
  if (/^-\d/.test(rest)) return undefined; // "2021-05-01" is text, not 2021
  const unit = [...kReadable.keys()]
    .filter(
      (name) =>
        name && (rest === name || rest.startsWith(`${name} `) || rest.startsWith(`${name}/`)),
    )
    .sort((a, b) => b.length - a.length)[0];
  return unit === undefined ? number : number * (kReadable.get(unit) ?? 1);
}
