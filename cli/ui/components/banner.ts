import { span } from '../../output/units.ts';
import type { Failure } from '../data/freshness.ts';
import type { Ui } from '../ui.ts';
import { safeCell } from '../../output/safe.ts';
import { cutTo, widthOf } from '../../output/text-width.ts';
import type { Line, Segment } from './line.ts';

/** A problem of the connection to the service, and what happens next; undefined: no problem. */
export function bannerLine({ data, theme: { signs } }: Ui, columns: number): Line | undefined {
  const state = data.connection.get();
  /** Problem, cause and next step: if there is no room for all, the cause is cut. */
  function banner(
    sign: string,
    what: string,
    why: readonly (string | undefined)[],
    next: string | undefined,
    tone: Segment['tone'],
  ): Line {
    const [start, end] = [safeCell(` ${sign} ${what}`), next === undefined ? '' : safeCell(` · ${next}`)];
    const middle = safeCell(
      why
        .filter((part) => part !== undefined)
        .map((part) => ` · ${part}`)
        .join(''),
    );
    const room = Math.max(0, columns - widthOf(start) - widthOf(end));
    const text = start + cutTo(middle, room, signs.ellipsis) + end;
    return { segments: [{ text: cutTo(text, columns, signs.ellipsis), tone }] };
  }
  switch (state.kind) {
    case 'connecting':
    case 'live':
      return undefined;
    case 'reconnecting': {
      const { attempt, nextAtMs, failure } = state;
      const place = `${data.place.baseUrl} (from ${data.place.baseUrlFrom})`;
      return banner(
        signs.busy,
        `reconnecting ${attempt}, next ${within(data.now(), nextAtMs)}`,
        [...saidOf(failure), place],
        'r retries now',
        'warn',
      );
    }
    case 'resting': {
      const { status, nextAtMs, failure } = state;
      const { what, next } = rests[status] ?? outage;
      return banner(signs.busy, `${what} ${within(data.now(), nextAtMs)}`, saidOf(failure), next, 'warn');
    }
    case 'degraded':
      return banner(
        signs.degraded,
        'the service responds with errors',
        saidOf(state.failure),
        state.failure.hint,
        'warn',
      );
    case 'signedOut':
      return banner(signs.offline, 'signed out', saidOf(state.failure), ': then "Sign in" accepts a token', 'bad');
  }
}

const saidOf = ({ message, requestId }: Failure) => [message, requestId && `request ${requestId}`];

const outage: { what: string; next?: string } = {
  what: 'the service is unavailable, next retry',
  next: 'r retries now',
};
/** Why there are no requests, by the status that the service sent. */
const rests: Readonly<Record<number, typeof outage>> = {
  401: { what: 'the org is suspended, resuming' },
  429: { what: 'the service limits the rate of requests, resuming' },
};

/** As in `in 4s`. */
function within(nowMs: number, atMs: number): string {
  const seconds = Math.ceil((atMs - nowMs) / 1000);
  return seconds <= 0 ? 'now' : `in ${span(seconds)}`;
}
