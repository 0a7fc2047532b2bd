import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../kernel/canonical-json.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import type { RobotWave } from '../rollouts/read-waves.ts';

/** What people have to agree to, besides the robots. */
interface PlannedTerms {
  rollout: Rollout | undefined;
  dynamicUntil: Date | undefined; // of a dynamic selector
  ignoresWindows: boolean;
  allowsDowngrade: boolean;
}

/** What a plan promises: the payload, the terms and the wave of each robot. Who was online when is no part of it. */
export function planHash(
  payloadDigest: string,
  { rollout, dynamicUntil, ignoresWindows, allowsDowngrade }: PlannedTerms,
  robots: readonly RobotWave[],
): string {
  const lines = robots.map(({ id, wave }) => `${id}:${wave}\n`).sort();
  return createHash('sha256')
    .update(
      `${canonicalJson([
        payloadDigest,
        rollout ?? null,
        ...(dynamicUntil ? [dynamicUntil.toISOString()] : []),
        ...(ignoresWindows ? ['ignores windows'] : []),
        ...(allowsDowngrade ? ['downgrade'] : []),
      ])}\n`,
    )
    .update(lines.join(''))
    .digest('hex');
}

/** What differs between the robots of a plan and those that its target has now, for people; empty if nothing does. */
export function changedRobots(planned: readonly RobotWave[], now: readonly RobotWave[]): string[] {
  const waves = new Map(planned.map(({ id, wave }) => [id, wave]));
  const found = { joined: 0, left: planned.length, moved: 0 };
  for (const { id, wave } of now) {
    const before = waves.get(id);
    if (before === undefined) found.joined += 1;
    else found.left -= 1;
    if (before !== undefined && before !== wave) found.moved += 1;
  }
  return [
    ...(found.joined > 0 ? [`${robotsText(found.joined)} joined`] : []),
    ...(found.left > 0 ? [`${robotsText(found.left)} left`] : []),
    ...(found.moved > 0 ? [`${robotsText(found.moved)} ${found.moved === 1 ? 'is' : 'are'} in another wave`] : []),
  ];
}

const robotsText = (count: number): string => `${count} ${count === 1 ? 'robot' : 'robots'}`;
