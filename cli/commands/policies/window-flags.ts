import type { Rollout, RolloutCreate } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import type { Flags } from '../../command-line/flag-spec.ts';

type Windows = NonNullable<RolloutCreate['windows']>;
type Gates = NonNullable<RolloutCreate['gates']>;

/** Removes what the flag sets. */
const none = 'none';

export const windowFlags = [
  'window',
  'download-window',
  'blackout',
  'zone',
  'at-window-end',
  'gate-wait',
  'require-gates',
];

/**
 * The windows and gates of a rollout after these flags; undefined parts are left out.
 * @throws CliError, a usage error
 */
export function windowsAndGatesOf(flags: Flags, before: Rollout | undefined): Pick<RolloutCreate, 'windows' | 'gates'> {
  // The service accepts the values of open enums that it sent.
  const windows = changedWindows(flags, (before as RolloutCreate | undefined)?.windows);
  const gates = changedGates(flags, before?.gates);
  return { ...(windows && { windows }), ...(gates && { gates }) };
}

function changedWindows(flags: Flags, before: Windows | undefined): Windows | undefined {
  const [zone, end] = [flags.text('zone'), flags.text('at-window-end')];
  const after: Windows = { ...before };
  replace(after, 'activate', listOf(flags, 'window', parseWindow));
  replace(after, 'download', listOf(flags, 'download-window', parseWindow));
  replace(after, 'blackouts', listOf(flags, 'blackout', parseBlackout));
  if (zone !== undefined) after.zone = zone;
  if (end !== undefined) after.at_end = end === 'cancel' ? 'cancel' : 'finish';
  const isUsed = after.activate !== undefined || after.download !== undefined;
  if (!isUsed && (zone !== undefined || end !== undefined || after.blackouts !== undefined) && !before)
    throw usage('the flag needs --window or --download-window', 'Example: --window "0 22 * * 1-5 for 6h"');
  return isUsed ? after : undefined;
}

function changedGates(flags: Flags, before: Gates | undefined): Gates | undefined {
  const wait = flags.text('gate-wait');
  const isGiven = wait !== undefined || flags.isGiven('require-gates');
  if (!isGiven) return before;
  return {
    ...before,
    ...(wait !== undefined && { max_wait: wait }),
    ...(flags.isGiven('require-gates') && { required: flags.on('require-gates') }),
  };
}

/** Undefined if the flag is absent, empty for `none`. */
function listOf<T>(flags: Flags, name: string, parse: (flag: string, text: string) => T): T[] | undefined {
  const texts = flags.texts(name);
  if (texts.length === 0) return undefined;
  if (!texts.includes(none)) return texts.map((text) => parse(name, text));
  if (texts.length > 1) throw usage(`--${name} none excludes others`, 'Omit one of them');
  return [];
}

function replace<Name extends 'activate' | 'download' | 'blackouts'>(
  windows: Windows,
  name: Name,
  list: Windows[Name],
): void {
  if (list === undefined) return;
  if (list.length === 0) Reflect.deleteProperty(windows, name);
  else windows[name] = list;
}

/** `0 22 * * 1-5 for 6h`; the service checks both parts. */
function parseWindow(flag: string, text: string) {
  const [, cron, duration] = /^(.+?)\s+for\s+(\S+)$/.exec(text.trim()) ?? [];
  if (cron === undefined || duration === undefined)
    throw usage(`--${flag} takes a cron and a duration, not "${text}"`, `Example: --${flag} "0 22 * * 1-5 for 6h"`);
  return { cron, duration };
}

/** `2026-12-24..2026-12-26`, or one day. */
function parseBlackout(flag: string, text: string) {
  const [from = '', to = from, ...others] = text.split('..');
  if (others.length > 0 || from.length !== 10 || to.length !== 10)
    throw usage(`--${flag} takes dates, not "${text}"`, `Example: --${flag} 2026-12-24..2026-12-26`);
  return { from, to };
}
