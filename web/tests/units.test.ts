import { describe, expect, it } from 'vitest';
import {
  format_fixed,
  format_number,
  format_value,
  parse_quantity,
  step_for,
  unit_of,
} from '../src/units';

const kNarrow = '\u202f';
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/\u2212/g, '-');

describe('unit_of', () => {
  it('takes the unit from the last part of a path', () => {
    const ids: Record<string, string> = {
      'hours.energy_kwh': 'kwh',
      mean_w: 'w',
      'options.delta_kgco2e': 'kgco2e',
      g_per_kwh: 'g_per_kwh',
      'memory.weights_bytes': 'bytes',
      'power_w.values': 'w',
      'network.bytes_per_s': 'bytes_per_s',
      tokens_per_s: 'tokens_per_s',
      coverage: '',
      devices: '',
      constructor: '',
    };
    for (const [path, id] of Object.entries(ids)) expect(unit_of(path).id, path).toBe(id);
  });
});

describe('format_value', () => {
  it('chooses the prefix a person would', () => {
    const cases: [number, string, string][] = [
      [1.612e6, 'energy_kwh', '1.61 GWh'],
      [0.0004, 'energy_kwh', '400 mWh'],
      [-182e3, 'delta_kgco2e', '-182 tCO2e'],
      [2.5e6, 'operational_kgco2e', '2.5 ktCO2e'],
      [54.2 * 86400, 'duration_s', '54.2 days'],
      [36 * 3600, 'duration_s', '36 h'],
      [90, 'duration_s', '90 s'],
      [4.1e-4, 'step_s', '410 \u00b5s'],
      [1.24e6, 'mean_w', '1.24 MW'],
      [45.5625 * 1024 ** 3, 'weights_bytes', '45.6 GiB'],
      [9e11, 'network_bytes_per_s', '900 GB/s'],
      [9.89e14, 'peak_flop_per_s', '989 TFLOP/s'],
      [361.2, 'mean_g_per_kwh', '361 gCO2e/kWh'],
      [1.13e5, 'cost_usd', '113 thousand USD'],
      [15e12, 'tokens', '15 trillion'],
      [412345, 'tokens_per_s', '412 k tokens/s'],
      [0.412, 'mfu', '0.412'],
      [0, 'energy_kwh', '0 kWh'],
    ];
    for (const [value, key, text] of cases)
      expect(plain(format_value(value, unit_of(key))), key).toBe(text);
  });
});

describe('format_number', () => {
  it('keeps three significant digits, groups thousands and writes a true minus sign', () => {
    expect(format_number(1234567)).toBe(`1${kNarrow}230${kNarrow}000`);
    expect(format_number(-0.012345)).toBe('\u22120.0123');
    expect(format_number(9.996)).toBe('10');
    expect(format_number(2500)).toBe('2500');
    expect(format_number(3e-7)).toBe('3\u00d710\u207b\u2077');
  });

  it('writes ticks of one axis with the same decimals and no negative zero', () => {
    expect([1.15, 1.2, -0.001].map((tick) => format_fixed(tick, 2))).toEqual([
      '1.15',
      '1.20',
      '0.00',
    ]);
  });
});

describe('step_for', () => {
  it('reads zero, and what is no number, in the base unit', () => {
    for (const value of [0, NaN, Infinity])
      expect(step_for(unit_of('mean_w'), value).name).toBe('W');
  });
});

describe('parse_quantity', () => {
  it('orders cells by what they mean', () => {
    const cells = ['1.2 GWh', '900 MWh', '16,384 kWh', '\u22123 kWh'];
    expect(cells.map(parse_quantity)).toEqual([1.2e6, 9e5, 16384, -3]);
    expect(parse_quantity('54.2 days')).toBeCloseTo(54.2 * 86400, 6); // one rounding of a product
    expect(parse_quantity('580 tCO2e')).toBe(580e3);
    expect(parse_quantity('4.5 %')).toBeCloseTo(0.045, 12); // one rounding of a product
    expect(parse_quantity('989 TFLOP/s')).toBe(989e12);
    expect(parse_quantity('361 gCO2e/kWh')).toBeCloseTo(0.361, 12); // one rounding of a product
  });

  it('leaves text, dates and empty cells alone', () => {
    for (const text of ['', 'n/a', 'ERCO', '2021-05-01 15:00', 'tp8,pp8']) {
      expect(parse_quantity(text), text).toBeUndefined();
    }
  });
});
