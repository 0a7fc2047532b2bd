import { expect, test } from 'vitest';
import { configValue, hasAllDigits } from '../../../../cli/ui/change-flows/config-value.ts';

test('a value is JSON where it is that, a text where it is not, and a fault where it was meant to be', () => {
  expect(configValue('1.2')).toEqual({ value: 1.2, isText: false });
  expect(configValue('Hall 3')).toEqual({ value: 'Hall 3', isText: true });
  expect(configValue('"12345678901234567890"')).toEqual({ value: '12345678901234567890', isText: false });
  expect(configValue('{"speed":')).toHaveProperty('fault');
  expect(configValue('12345678901234567890')).toHaveProperty('fault');
});

test.each(['9007199254740993', '[1, {"a": -12345678901234567.5}]', '1234567890123456789e3', '1e400', '1e-400'])(
  '%s is refused: it would be another number on its way',
  (text) => {
    expect(configValue(text)).toMatchObject({ fault: expect.stringContaining('Use: cli configs set') });
  },
);

test.each(['1763853412345678', '0.30000000000000004', '-100000000000000000000', '1.50e3', '0.000', '1e22', '-0.1E-7'])(
  '%s stays what it is',
  (text) => {
    expect(configValue(text)).toEqual({ value: Number(text), isText: false });
  },
);

test('what was read of a number with too many digits is not the number, and not offered for a change', () => {
  expect(hasAllDigits(JSON.parse('{"a": [1, 9007199254740993]}'))).toBe(false);
  expect(hasAllDigits(JSON.parse('[0.1234567890123456789]'))).toBe(false);
  expect(hasAllDigits(JSON.parse('{"a": [1.5, 1763853412345678, "9007199254740993", null, true]}'))).toBe(true);
});
