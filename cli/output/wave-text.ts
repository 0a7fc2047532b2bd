import type { AnyDeployment, DeploymentWave } from '../api/api.ts';
import { endedOf, endsOf, waveOf } from './deployment-format.ts';
import { waveText } from './rollout-text.ts';

type WithRollout = Pick<AnyDeployment, 'rollout'>;

const currentOf = ({ rollout }: WithRollout) => rollout?.waves.find(({ number }) => number === rollout.wave);

/** What a resume begins, before it and just after it: a wave that has ended stays the current one for a moment. */
export function resumeEffect(deployment: WithRollout): string {
  const wave = currentOf(deployment);
  if (!wave) return 'Robots that wait receive it.';
  const who = wave.ended_at === undefined ? 'Robots of the wave that wait receive it.' : 'The next wave begins.';
  return `${who} Failures until now no longer count.`;
}

/** The wave that holds a rollout up: the current one, or the next one once that has ended. 1 before it begins. */
export function waveToSkip({ rollout }: WithRollout): number {
  if (!rollout || rollout.wave === 0) return 1;
  const open = rollout.waves.find(
    ({ number, ended_at: endedAt, skipped_at: skippedAt }) =>
      number >= rollout.wave && endedAt === undefined && skippedAt === undefined,
  );
  return open?.number ?? rollout.waves.length;
}

/** `wave 2 of 4: 3 of 20 ended`; empty without a rollout. */
export function waveProgress(deployment: WithRollout): string {
  const counts = currentOf(deployment)?.counts;
  const wave = waveOf(deployment);
  return counts ? `${wave}: ${endedOf(counts)} of ${counts.total} ended` : wave;
}

/** `Wave 1: 4 applied · wave 2: 18 applied, 2 failed · wave 3: not begun`; undefined without a rollout. */
export const waveEnds = ({ rollout }: WithRollout): string | undefined =>
  rollout?.waves
    .map(({ number, started_at: startedAt, skipped_at: skippedAt, counts }) => {
      const waits = skippedAt === undefined ? 'not begun' : 'skipped';
      const ends = startedAt === undefined || !counts ? waits : endsOf(counts) || 'none ended';
      return `${number === 1 ? 'Wave' : 'wave'} ${number}: ${ends}`;
    })
    .join(' · ');

/** At least 2: the service says why the waves of a deployment that has not begun are not changed so. */
export const firstToChange = ({ rollout }: WithRollout): number => Math.max(2, (rollout?.wave ?? 0) + 1);

/** The waves from this number on. */
export const wavesOf = ({ rollout }: WithRollout, from: number): DeploymentWave[] =>
  (rollout?.waves ?? []).filter(({ number }) => number >= from);

export const waitingIn = (waves: readonly DeploymentWave[]): number =>
  waves.reduce((sum, { counts }) => sum + (counts?.waiting ?? 0), 0);

/** `tier=canary (4); 10% (12); any others (84)`. */
export const wavesNowText = (waves: readonly DeploymentWave[]): string =>
  waves.map((wave) => `${waveText(wave) || 'any others'} (${wave.counts?.total ?? 0})`).join('; ');

/** `10%; 20%; then any others`: sizes as they are typed, which the service resolves. */
export const newWavesText = (waves: readonly Parameters<typeof waveText>[0][]): string =>
  [...waves.map(waveText), 'then any others'].join('; ');

/** `wave 2: 10, wave 3: 86`. */
export const waveSizes = (waves: readonly DeploymentWave[]): string =>
  waves.map(({ number, counts }) => `wave ${number}: ${counts?.total ?? 0}`).join(', ');
