import type { AnyDeployment, DeploymentTarget, TargetCounts, WaitingOn } from '../api/api.ts';
import { deploymentMoves, targetMoves } from '../../generated/protocol.js';
import { waitTexts } from '../../generated/wait-texts.js';
import { span } from './units.ts';

/** Known statuses, in order; a later service may have more. */
export const deploymentStatuses: readonly string[] = Object.keys(deploymentMoves);
export const targetStatuses = Object.keys(targetMoves) as (keyof typeof targetMoves)[];
/** Terminal statuses of a target and of a deployment. */
const terminal = targetStatuses.filter(
  (status): status is Exclude<keyof TargetCounts, 'total'> & typeof status => targetMoves[status].length === 0,
);
/** A status unknown to this client counts as active. */
export const isTerminal = (status: string | undefined) =>
  (terminal as readonly (string | undefined)[]).includes(status);

/** Active statuses of a target, in order. */
export const openStatuses = targetStatuses.filter(
  (status): status is Exclude<keyof TargetCounts, 'total'> & typeof status => !isTerminal(status),
);

/** Tones that every view of a status supports. */
type StatusTone = 'good' | 'bad' | 'warn' | 'quiet';

const tones: Readonly<Record<string, StatusTone>> = {
  applied: 'good',
  failed: 'bad',
  rolled_back: 'bad',
  cancelled: 'warn',
  cancelling: 'warn',
  rolling_back: 'warn',
  paused: 'warn',
  scheduled: 'quiet',
  waiting: 'quiet',
};
export const toneOf = (status: string | undefined) => (status === undefined ? undefined : tones[status]);

/** `rolled_back` as `rolled back`. */
export const humanize = (word: string) => word.replaceAll('_', ' ');

export const endedOf = (counts: TargetCounts) => terminal.reduce((sum, status) => sum + counts[status], 0);

/** `40% 412 of 1024 MiB`, as last reported by the robot; empty if not reported, and while the robot waits for a gate. */
export const percentOf = ({ progress, gate }: Pick<DeploymentTarget, 'progress' | 'gate'>) =>
  progress === undefined || gate ? '' : `${progress.percent}% ${progress.text ?? ''}`.trimEnd();

/** For a cell: `17/24` applied; with other outcomes: `17/24 applied, 2 failed`. Empty until the targets are fixed. */
export function doneOf({ counts }: AnyDeployment): string {
  if (counts.total === 0) return '';
  const { applied, failed, rolled_back, cancelled } = counts;
  const [done, otherwise] = [`${applied}/${counts.total}`, listed(Object.entries({ failed, rolled_back, cancelled }))];
  return otherwise === '' ? done : `${done} applied, ${otherwise}`;
}

/** For a line: `17 of 24 ended: 15 applied, 2 failed · 5 working, 2 waiting`. Empty until the targets are fixed. */
export function progressOf({ counts }: AnyDeployment): string {
  if (counts.total === 0) return '';
  const ended = endedOf(counts);
  const open = { working: counts.total - ended - counts.waiting, waiting: counts.waiting };
  const parts = [endsOf(counts), listed(Object.entries(open))].filter((part) => part !== '');
  return ended === 0 ? parts.join(' · ') : `${ended} of ${counts.total} ended: ${parts.join(' · ')}`;
}

/** `22 applied, 2 failed`. */
export const endsOf = (counts: TargetCounts) => listed(terminal.map((status) => [status, counts[status]]));

/** All counts except zeros. */
export const countsOf = ({ counts: { total, ...counts } }: AnyDeployment) =>
  total === 0 ? '' : `${total} robot${total === 1 ? '' : 's'}: ${listed(Object.entries(counts))}`;

const listed = (counts: readonly (readonly [string, number])[]) =>
  counts
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${humanize(status)}`)
    .join(', ');

/** `wave 2 of 4`, or `4 waves` before it begins; empty without a rollout. */
export function waveOf({ rollout }: Pick<AnyDeployment, 'rollout'>): string {
  if (!rollout) return '';
  const { wave, waves } = rollout;
  return wave === 0 ? `${waves.length} waves` : `wave ${wave} of ${waves.length}`;
}

/** What a robot waits for, and for how long if known: `a gate of the robot is closed, battery: 18 %, needs 30 %, for 5m`. */
export function robotWaitOf({ waiting_on: wait, gate }: Pick<DeploymentTarget, 'waiting_on' | 'gate'>): string {
  return wait ? waitOf(wait, Date.now(), gate && ['gate', 'window'].includes(wait.code) ? gate : undefined) : '';
}

/** What the deployment waits for, and for how long if known. `detail` is a text of the service. */
export function waitOf(
  { code, since, detail }: WaitingOn,
  nowMs: number = Date.now(),
  gate?: Pick<NonNullable<DeploymentTarget['gate']>, 'holder' | 'reason'>,
): string {
  const seconds = since === undefined ? 0 : Math.floor((nowMs - Date.parse(since)) / 1000);
  const what = [waitTexts[code] ?? humanize(code), ...(detail === undefined ? [] : [detail])].join(': ');
  const why = gate === undefined ? '' : `, ${code === 'window' ? '' : `${gate.holder}: `}${gate.reason}`;
  return `${what}${why}${code !== 'schedule' && seconds > 0 ? `, for ${span(seconds)}` : ''}`;
}
