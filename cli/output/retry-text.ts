import type { DeploymentRetry } from '../api/api.ts';
import { humanize } from './deployment-format.ts';

/** `3 timed out, 1 failed`: the robots that a retry is for; empty for none. */
export const retriedText = ({ retries }: DeploymentRetry): string =>
  retries.map(({ robots, reason }) => `${robots} ${humanize(reason)}`).join(', ');

/** `2 superseded`: the robots that it leaves out; empty for none. */
export const leftOutText = ({ excluded }: DeploymentRetry): string =>
  excluded.map(({ robots, code }) => `${robots} ${humanize(code)}`).join(', ');

/** How a retry differs from a rollout. */
export const retryWarning = 'These robots receive it at once, without waves and abort rules.';

/** `at most 3, the first after 10m, then after twice the time`. */
export function attemptsText(attempts: number, backoff: string): string {
  const first = /^0+[a-z]$/.test(backoff) ? 'at once' : `after ${backoff}`;
  return attempts === 1 ? `one, ${first}` : `at most ${attempts}, the first ${first}, each after twice the time`;
}
