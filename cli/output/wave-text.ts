import type { AnyDeployment } from '../api/api.ts';

/** What a resume begins, before it and just after it: a wave that has ended stays the current one for a moment. */
export function resumeEffect({ rollout }: Pick<AnyDeployment, 'rollout'>): string {
  const wave = rollout?.waves.find(({ number }) => number === rollout.wave);
  if (!wave) return 'Robots that wait receive it.';
  const who = wave.ended_at === undefined ? 'Robots of the wave that wait receive it.' : 'The next wave begins.';
  return `${who} Failures until now no longer count.`;
}
