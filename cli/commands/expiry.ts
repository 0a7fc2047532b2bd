import type { Tone } from '../command-line/colour.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { usualLifetimes } from '../command-line/usual-lifetimes.ts';
import { relativeTime } from '../output/time.ts';

/** From this time before the end on, lists, `doctor`, `login` and `whoami` warn. */
const soonMs = 14 * 86_400_000;
const dayMs = 86_400_000;

type Noun = keyof typeof usualLifetimes;

/**
 * The `expires_in_hours` of a new credential: that of the flag. Without the flag it is the default in a terminal, and
 * undefined elsewhere: scripts that rely on credentials without an end keep working.
 */
export function lifetimeHours({ flags, io }: Invocation, noun: Noun): number | undefined {
  const hours = flags.integer('expires-in-hours');
  return hours ?? (io.out.tty && io.err.tty ? 24 * usualLifetimes[noun] : undefined);
}

/** Says when a new credential ends, in a terminal. Elsewhere it warns if nobody decided that it never ends. */
export function noteExpiry({ flags, io }: Invocation, noun: Noun, expiresAt: string | undefined): void {
  const isDecided = flags.integer('expires-in-hours') !== undefined;
  if (expiresAt === undefined) {
    io.aside('It never expires, until you revoke it.');
    if (!isDecided && !(io.out.tty && io.err.tty))
      io.note(
        `Warning: this ${noun} never expires. Set a lifetime with --expires-in-hours <n>, or 0 to confirm that it never expires.`,
      );
    return;
  }
  const otherwise = isDecided ? '' : `; --expires-in-hours 0 for a ${noun} that never expires`;
  io.aside(`Expires ${utcMinute(expiresAt)}, in ${spanText(expiresAt)}${otherwise}`);
}

/** As in `2027-02-22 09:00 UTC`. */
const utcMinute = (instant: string): string => `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The time left, in days from 2 days on, else in hours. Rounded, as the clocks differ by some seconds. */
function spanText(instant: string): string {
  const ms = Date.parse(instant) - Date.now();
  const isInDays = ms >= 2 * dayMs - 60_000;
  const count = Math.round(ms / (isInDays ? dayMs : 3_600_000));
  const unit = isInDays ? 'day' : 'hour';
  return count < 1 ? 'less than an hour' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Whether it ends within 14 days. */
export function endsSoon(expiresAt: string | undefined): expiresAt is string {
  const left = Date.parse(expiresAt ?? '') - Date.now();
  return left > 0 && left < soonMs;
}

/** The cell of a list: `in 5d`, `expired`, or empty. */
export function expiryText(expiresAt: string | undefined): string {
  if (expiresAt === undefined) return '';
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : relativeTime(expiresAt);
}

export function expiryTone(expiresAt: string | undefined): Tone | undefined {
  if (expiresAt === undefined) return undefined;
  if (Date.parse(expiresAt) <= Date.now()) return 'bad';
  return endsSoon(expiresAt) ? 'warn' : undefined;
}

/** A warning if the token in use ends within 14 days. */
export const tokenWarning = (expiresAt: string | undefined): string | undefined =>
  endsSoon(expiresAt)
    ? `The token expires ${utcMinute(expiresAt)}, in ${spanText(expiresAt)}. Replace it: cli login, or cli tokens new`
    : undefined;
