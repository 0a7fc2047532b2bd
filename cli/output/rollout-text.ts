import type { Rollout, RolloutCreate } from '../api/api.ts';
import { usage } from '../command-line/errors.ts';

/*
 * Waves and abort rules as lines that people type, and that commands print. What is printed can be typed again.
 *
 *   wave:  [<name>:] [<selector>] [<n>|<n>%]
 *   abort: <reason>[,<reason>…] <n>|<n>% [of <n>] [within <duration>] [per wave|rollout] [then pause|cancel|rollback]
 *
 * A name or a selector that could be mistaken for another part are in quotation marks, as in JSON.
 */

type Wave = Rollout['waves'][number];
type WaveCreate = RolloutCreate['waves'][number];
type AbortRule = Rollout['abort'][number];
type AbortCreate = NonNullable<RolloutCreate['abort']>[number];
type Size = Pick<WaveCreate, 'percent' | 'count'>;

/** Of a wave or an abort rule, as in the contract. */
const leastPercent = 0.01;

const reasons: readonly string[] = [
  'failed',
  'timed_out',
  'rejected',
  'rolled_back',
  'unhealthy',
  'drift',
  'any',
] satisfies AbortCreate['reasons'];

const size = String.raw`(\d+(?:\.\d+)?)\s*(%?)`;
const sizeAlone = new RegExp(`^${size}$`);
const sizeAtEnd = new RegExp(String.raw`(?:^|\s)${size}$`);
const nameBefore = /^(?:("(?:[^"\\]|\\.)*")|([^:="]*)):(.*)$/s;

/** Up to a semicolon that is not in quotation marks. */
const wavesApart = /(?:"(?:[^"\\]|\\.)*"|[^;])+/g;

/** A word alone is more likely a name without its colon than a label that a robot must have. */
const hasOperator = /[=!(@]/;

/** The wave that a person typed. @throws CliError, a usage error */
export function parseWave(text: string): WaveCreate {
  const wrong = (why: string) =>
    usage(
      `wave "${text}": ${why}`,
      'Examples: --wave 10%, --wave 5, --wave "canaries: tier=canary", --wave "floor=2 5"',
    );
  const [, quotedName, plainName, rest = text] = nameBefore.exec(text.trim()) ?? [];
  const name = quotedName === undefined ? plainName?.trim() : unquoted(quotedName);
  const robots = rest.trim();
  const [sized, amount, unit] = sizeAtEnd.exec(robots) ?? [];
  const selected = sized === undefined ? robots : robots.slice(0, robots.length - sized.length).trim();
  const selector = selected.startsWith('"') ? unquoted(selected) : selected;
  if (name === '') throw wrong('there is no name before the colon');
  if (selector === undefined || (quotedName !== undefined && name === undefined))
    throw wrong('text in quotation marks must be as in JSON');
  if (selector === '' && amount === undefined) throw wrong('a selector or a size is missing');
  if (selector === selected && selected !== '' && !hasOperator.test(selected))
    throw wrong(`"${selected}" is neither a selector such as tier=canary nor a size such as 10% or 5`);
  return {
    ...(name !== undefined && { name }),
    ...(selector !== '' && { selector }),
    ...(amount !== undefined && sizeOf(amount, unit, wrong)),
  };
}

/** The waves of a text such as `canaries: tier=canary; 10%`. @throws CliError, a usage error */
export const parseWaves = (text: string): WaveCreate[] =>
  [...text.matchAll(wavesApart)]
    .map(([wave]) => wave.trim())
    .filter((wave) => wave !== '')
    .map(parseWave);

export function waveText({ name, selector, percent, count }: Wave): string {
  const selected = selector === undefined || isPlainSelector(selector) ? selector : JSON.stringify(selector);
  const robots = [selected, sizeText({ percent, count })].filter((part) => part !== undefined && part !== '').join(' ');
  if (name === undefined) return robots;
  return `${isPlainName(name) ? name : JSON.stringify(name)}: ${robots}`;
}

const hasControl = (text: string) => /\p{Cc}/u.test(text);
const isPlainName = (name: string) => /^[^:=";]+$/.test(name) && name === name.trim() && !hasControl(name);
const isPlainSelector = (text: string) =>
  hasOperator.test(text) &&
  !text.includes(';') &&
  !/^"|^[^:="]*:/.test(text) &&
  text === text.trim() &&
  !sizeAtEnd.test(text) &&
  !hasControl(text);

/** Undefined if it is not a JSON text. */
function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The abort rule that a person typed. @throws CliError, a usage error */
export function parseAbort(text: string): AbortCreate {
  const wrong = (why: string) =>
    usage(
      `abort rule "${text}": ${why}`,
      'Examples: --abort "any 5% of 10", --abort "failed,rolled_back 3 within 1h then cancel"',
    );
  const [what = '', limit = '', ...rest] = text
    .trim()
    .replace(/\s*,\s*/g, ',')
    .replace(/\s+%/g, '%')
    .split(/\s+/);
  const counted = what.split(',');
  const unknown = counted.find((reason) => !reasons.includes(reason));
  if (unknown !== undefined) throw wrong(`unknown reason "${unknown}"; reasons are ${reasons.join(', ')}`);
  const [, amount, unit] = sizeAlone.exec(limit) ?? [];
  if (amount === undefined) throw wrong('a limit such as 3 or 5% must follow the reasons');
  const rule: AbortCreate = { reasons: counted as AbortCreate['reasons'], ...sizeOf(amount, unit, wrong) };
  const seen = new Set<string>();
  for (let index = 0; index < rest.length; index += 2) {
    const [word = '', value = ''] = rest.slice(index, index + 2);
    const part = Object.hasOwn(parts, word) ? parts[word as keyof typeof parts] : undefined;
    if (!part) throw wrong(`unexpected "${word}"; after the limit come ${Object.keys(parts).join(', ')}`);
    if (seen.has(word)) throw wrong(`"${word}" occurs twice`);
    if (!part.fits.test(value)) throw wrong(`"${word}" takes ${part.takes}, not "${value}"`);
    seen.add(word);
    Object.assign(rule, { [part.field]: word === 'of' ? Number(value) : value });
  }
  return rule;
}

/** What can follow the limit of an abort rule: a word and its value. */
const parts = {
  of: { field: 'min_ended', fits: /^[1-9]\d*$/, takes: 'the number of robots that must have ended' },
  within: { field: 'within', fits: /^\d+(?:\.\d+)?[smhd]$/, takes: 'a duration such as 90s, 30m, 2h or 1d' },
  per: { field: 'per', fits: /^(?:wave|rollout)$/, takes: 'wave or rollout' },
  then: { field: 'action', fits: /^(?:pause|cancel|rollback)$/, takes: 'pause, cancel or rollback' },
} as const satisfies Record<string, { field: keyof AbortCreate; fits: RegExp; takes: string }>;

export const abortText = ({ reasons: counted, percent, count, min_ended: least, within, per, action }: AbortRule) =>
  [
    `${counted.join(',')} ${sizeText({ percent, count })}`,
    least > 1 && `of ${least}`,
    within !== undefined && `within ${within}`,
    per !== 'rollout' && `per ${per}`,
    `then ${action}`,
  ]
    .filter((part) => part !== false)
    .join(' ');

/** For reading only: each part has a flag of its own. */
export const advanceText = ({
  applied_percent: applied,
  min_ended: least,
  soak,
  offline_after: offline,
  then,
}: Rollout['advance']) =>
  [
    `${applied}% applied`,
    `${least} ended`,
    `soak ${soak}`,
    offline !== undefined && `offline after ${offline}`,
    `then ${then}`,
  ]
    .filter((part) => part !== false)
    .join(', ');

/** A percentage that a person typed, with or without `%`; undefined for another text. */
export function parsePercent(text: string, least: number): number | undefined {
  const [, amount] = sizeAlone.exec(text) ?? [];
  const value = Number(amount);
  return value >= least && value <= 100 ? value : undefined;
}

function sizeOf(amount: string, unit: string | undefined, wrong: (why: string) => Error): Size {
  if (unit === '%') {
    const percent = parsePercent(amount, leastPercent);
    if (percent === undefined) throw wrong(`a percentage is from ${leastPercent}% to 100%, not ${amount}%`);
    return { percent };
  }
  if (!/^[1-9]\d*$/.test(amount)) throw wrong(`the number of robots must be whole and at least 1, not ${amount}`);
  return { count: Number(amount) };
}

const sizeText = ({ percent, count }: { percent: number | undefined; count: number | undefined }) =>
  percent === undefined ? (count === undefined ? '' : `${count}`) : `${percent}%`;
