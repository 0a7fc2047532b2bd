import type { DeploymentTarget, DeploymentWave } from '../api/api.ts';
import { endedOf, endsOf } from './deployment-format.ts';
import { relativeTime } from './time.ts';
import type { View } from './view.ts';

/** How many robots of each wave wait because they are offline, by the number of the wave. */
export type OfflineByWave = ReadonlyMap<number, number>;

/** Robots whose wave has not begun wait for that. */
export function offlineByWave(targets: readonly DeploymentTarget[]): OfflineByWave {
  const counts = new Map<number, number>();
  for (const { wave, waiting_on: wait } of targets)
    if (wave !== undefined && wait?.code === 'offline') counts.set(wave, (counts.get(wave) ?? 0) + 1);
  return counts;
}

/** The waves of a rollout, as `show` lists them, and `cli ui`. */
export const waveView = (offline: OfflineByWave): View<DeploymentWave> => ({
  columns: [
    { field: 'number', header: 'WAVE', shown: 'table' },
    { field: 'name', shown: 'table' },
    { field: 'counts', header: 'ROBOTS', shown: 'table', text: ({ counts }) => (counts ? String(counts.total) : '') },
    {
      field: 'counts',
      header: 'STATE',
      shown: 'table',
      whole: true,
      text: (wave) => stateOf(wave, offline.get(wave.number) ?? 0),
      tone: waveTone,
    },
    { field: 'started_at', header: 'BEGAN', shown: 'table', time: true },
  ],
  name: ({ number }) => String(number),
});

/** `skipped`, `skipped: 1 applied, 4 cancelled`, `ended: 5 applied`, `2 of 5 ended: 2 applied · 1 offline`, `ended: 5 applied · soaks since 3m ago`, `not begun`. */
function stateOf(
  {
    counts,
    started_at: startedAt,
    soak_started_at: soakStartedAt,
    ended_at: endedAt,
    skipped_at: skippedAt,
  }: DeploymentWave,
  offline: number,
): string {
  if (startedAt === undefined || !counts) return skippedAt === undefined ? 'not begun' : 'skipped';
  const ended = endedOf(counts);
  const isOver = ended === counts.total || endedAt !== undefined;
  const over = skippedAt === undefined ? 'ended' : 'skipped';
  const ends = [isOver ? over : `${ended} of ${counts.total} ended`, endsOf(counts)];
  const isSoaking = soakStartedAt !== undefined && endedAt === undefined;
  return [
    ends.filter((text) => text !== '').join(': '),
    offline === 0 ? '' : `${offline} offline`,
    isSoaking ? `soaks since ${relativeTime(soakStartedAt)}` : '',
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

export function waveTone({ counts, started_at: startedAt, ended_at: endedAt }: DeploymentWave) {
  if (startedAt === undefined || !counts) return 'quiet';
  if (counts.failed + counts.rolled_back > 0) return 'bad';
  return endedAt !== undefined || counts.applied === counts.total ? 'good' : undefined;
}
