import { parseDuration } from '../kernel/duration.ts';
import { compareVersions } from './versions.ts';

/** The value of a measure: numbers in its unit, levels as their rank. */
export type Value = number | string | boolean;

/** What an expression can compare. */
export interface Measure {
  kind: 'number' | 'duration' | 'flag' | 'level' | 'text' | 'version' | 'any';
  /** Of numbers, for messages. */
  unit?: string;
  /** Least and greatest value. */
  range?: readonly [number, number];
}

const duration: Measure = { kind: 'duration', range: [0, Infinity] };
const percent: Measure = { kind: 'number', unit: '%', range: [0, 100] };

/** Measures by name. `memory` and `disk` are the used part: with `disk > 90`, less than 10 % is free. */
export const measures: Readonly<Record<string, Measure>> = {
  battery: percent,
  charging: { kind: 'flag' },
  cpu: percent,
  memory: percent,
  disk: percent,
  temperature: { kind: 'number', unit: '°C', range: [-273, 10_000] },
  link_delay: { kind: 'number', unit: 'ms', range: [0, 86_400_000] },
  clock_offset: duration,
  estop: { kind: 'flag' },
  mission: { kind: 'text' },
  diagnostics: { kind: 'level', range: [0, 3] },
  offline: duration,
  reconnects: { kind: 'number', range: [0, 1_000_000] },
  uptime: duration,
  agent_version: { kind: 'version' },
};

/** Levels of ROS diagnostics in the order of their weight; a current fault ranks above a silent source. */
const levels = ['ok', 'stale', 'warn', 'error'] as const;
export const levelRank = (level: string): number => levels.indexOf(level as (typeof levels)[number]);

/** `extra.<name>[.<name>…]`: a value of the robot's own programs. */
const extraName = /^extra(\.[A-Za-z0-9_-]{1,64}){1,4}$/;

/** The measure of this name; undefined if there is none. */
export const findMeasure = (name: string): Measure | undefined =>
  Object.hasOwn(measures, name) ? measures[name] : extraName.test(name) ? { kind: 'any' } : undefined;

/** Reads the text of a value; a string is why it is invalid. */
export function readValue(measure: Measure, text: string): { value: Value } | string {
  switch (measure.kind) {
    case 'number': {
      const number = Number(text.endsWith('%') ? text.slice(0, -1) : text);
      const [least, most] = measure.range ?? [-Infinity, Infinity];
      return text !== '' && number >= least && number <= most
        ? { value: number }
        : `takes a number from ${least} to ${most}, not "${text}"`;
    }
    case 'duration': {
      const seconds = parseDuration(text);
      return seconds === undefined ? `takes a duration such as 90s, 10m or 2h, not "${text}"` : { value: seconds };
    }
    case 'level':
      return levelRank(text) < 0 ? `takes ${levels.join(', ')}, not "${text}"` : { value: levelRank(text) };
    case 'version':
      return /\d/.test(text) ? { value: text } : `takes a version such as 1.4.0, not "${text}"`;
    case 'text':
      return { value: text };
    case 'flag':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : 'takes no value';
    case 'any':
      if (text === 'true' || text === 'false') return { value: text === 'true' };
      return { value: text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text };
  }
}

/** Whether values of the measure have an order. */
export const isOrdered = ({ kind }: Measure, value: Value): boolean =>
  kind !== 'flag' && kind !== 'text' && typeof value !== 'boolean' && (kind !== 'any' || typeof value === 'number');

/** Negative if `one` is less. Both have the type of the measure. */
export const compareValues = ({ kind }: Measure, one: Value, other: Value): number =>
  kind === 'version' ? compareVersions(String(one), String(other)) : Number(one) - Number(other);

/** A value for people: `3 %`, `12 min`, `error`. */
export function valueText({ kind, unit }: Measure, value: Value): string {
  if (kind === 'level') return levels[Number(value)] ?? String(value);
  if (kind === 'duration') return spanText(Number(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Texts of robots may hold what Postgres cannot store.
  const text =
    typeof value === 'number'
      ? String(Math.round(value * 10) / 10)
      : value.slice(0, 64).replace(/[\p{Cc}\p{Cs}]/gu, '');
  return unit === undefined ? text : `${text} ${unit}`;
}

/** The largest unit, rounded down. */
function spanText(seconds: number): string {
  const [count, unit] = (
    [
      [seconds / 86_400, 'd'],
      [seconds / 3_600, 'h'],
      [seconds / 60, 'min'],
    ] as const
  ).find(([units]) => units >= 1) ?? [seconds, 's'];
  return `${Math.floor(count)} ${unit}`;
}
