import { bounds, seriesNames, type Row, type SeriesName } from './model.ts';

/*
 * Rows of numbers as bytes: a mask of the rows that have a value, then each of these rows. A value is its difference to
 * the value before it, in steps of its series. It is folded to 0, 1, 2 … for 0, -1, 1 …, plus one, and written in groups
 * of seven bits, the lowest first. 0 stands for "not measured". So a value that changes little takes one byte.
 */

const stepsPer = (name: SeriesName): number => (bounds[name].step === 1 ? 1 : 10);

/** Packs one row per series, all of the same length. */
export const packSamples = (rows: readonly Row[]): Buffer => pack(rows, (index) => stepsPer(seriesAt(index)));

/** @throws RangeError for bytes that were not packed */
export const unpackSamples = (bytes: Buffer, length: number): Row[] =>
  unpack(bytes, seriesNames.length, length, (index) => stepsPer(seriesAt(index)));

/** Lowest, mean and highest value of each bucket, a row per series each. */
export interface Buckets {
  min: Row[];
  avg: Row[];
  max: Row[];
}

/** Packs the means and how far the others are from them, which are small numbers. */
export function packBuckets({ min, avg, max }: Buckets): Buffer {
  const away = (rows: readonly Row[]) =>
    rows.map((row, index) => row.map((value, at) => difference(value, avg[index]?.[at])));
  return pack([...avg, ...away(min), ...away(max)], (index) => stepsPer(seriesAt(index % seriesNames.length)));
}

/** @throws RangeError for bytes that were not packed */
export function unpackBuckets(bytes: Buffer, length: number): Buckets {
  const count = seriesNames.length;
  const rows = unpack(bytes, 3 * count, length, (index) => stepsPer(seriesAt(index % count)));
  const avg = rows.slice(0, count);
  const from = (first: number) =>
    rows.slice(first, first + count).map((row, index) =>
      row.map((value, at) => {
        const mean = avg[index]?.[at];
        return value === undefined || mean === undefined ? undefined : rounded(mean + value);
      }),
    );
  return { avg, min: from(count), max: from(2 * count) };
}

const seriesAt = (index: number): SeriesName => seriesNames[index] as SeriesName; // the callers count series
const rounded = (value: number): number => Math.round(value * 10) / 10;
const difference = (value: number | undefined, base: number | undefined): number | undefined =>
  value === undefined || base === undefined ? undefined : value - base;

function pack(rows: readonly Row[], stepsOf: (row: number) => number): Buffer {
  const bytes: number[] = [];
  let mask = 0;
  rows.forEach((row, index) => (mask |= row.some((value) => value !== undefined) ? 1 << index : 0));
  pushNumber(bytes, mask);
  rows.forEach((row, index) => {
    if ((mask & (1 << index)) === 0) return;
    const steps = stepsOf(index);
    let before = 0;
    for (const value of row) {
      if (value === undefined) {
        bytes.push(0);
        continue;
      }
      const now = Math.round(value * steps);
      const change = now - before;
      pushNumber(bytes, (change >= 0 ? 2 * change : -2 * change - 1) + 1);
      before = now;
    }
  });
  return Buffer.from(bytes);
}

function pushNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

function unpack(bytes: Buffer, rowCount: number, length: number, stepsOf: (row: number) => number): Row[] {
  let at = 0;
  function next(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.readUInt8(at);
      at += 1;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }
  const mask = next();
  return Array.from({ length: rowCount }, (_row, index) => {
    const row: Row = new Array<number | undefined>(length).fill(undefined);
    if ((mask & (1 << index)) === 0) return row;
    const steps = stepsOf(index);
    let before = 0;
    for (let place = 0; place < length; place += 1) {
      const code = next();
      if (code === 0) continue;
      before += code % 2 === 1 ? (code - 1) / 2 : -code / 2;
      row[place] = before / steps;
    }
    return row;
  });
}
