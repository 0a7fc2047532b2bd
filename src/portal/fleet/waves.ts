import { html, type Html } from '../page.ts';
import { table } from '../table.ts';
import type { Deployment } from './deployment-rows.ts';
import { instant } from './instant.ts';
import { deploymentWait } from './wait-text.ts';

type Wave = NonNullable<Deployment['rollout']>['waves'][number];

/** The waves of a rollout; beside the one that holds it up stands what it waits for. Undefined without a rollout. */
export function waveTable(deployment: Deployment): Html | undefined {
  const { rollout } = deployment;
  if (!rollout) return undefined;
  const waiting = deployment.waiting_on && waitingWave(deployment);
  const columns = {
    Wave: ({ number, name }: Wave) => (name === undefined ? number : `${number}, ${name}`),
    State: stateOf,
    Robots: ({ counts }: Wave) => counts?.total,
    Ended: ({ counts }: Wave) => counts && counts.applied + counts.failed + counts.rolled_back + counts.cancelled,
    Applied: ({ counts }: Wave) => counts?.applied,
    Failed: ({ counts }: Wave) => counts && counts.failed + counts.rolled_back,
    'Waits for': ({ number }: Wave) => (number === waiting ? deploymentWait(deployment) : undefined),
    Began: ({ started_at: at }: Wave) => instant(at),
  };
  return html`<h2>Waves</h2>
    ${table({ title: 'Waves', columns, rows: rollout.waves })}`;
}

const stateOf = (wave: Wave): string => {
  if (wave.skipped_at !== undefined) return 'skipped';
  if (wave.started_at === undefined) return 'not begun';
  if (wave.ended_at !== undefined) return 'ended';
  return wave.soak_started_at === undefined ? 'in progress' : 'soaks';
};

/** The wave to approve; else the current one, or the next one once that has ended. */
function waitingWave({ approval, rollout }: Deployment): number | undefined {
  const first = Math.max(approval?.wave ?? rollout?.wave ?? 0, 1);
  return rollout?.waves.find(
    ({ number, ended_at: endedAt, skipped_at: skippedAt }) =>
      number >= first && endedAt === undefined && skippedAt === undefined,
  )?.number;
}
