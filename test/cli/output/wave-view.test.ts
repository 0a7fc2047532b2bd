import { expect, test } from 'vitest';
import type { DeploymentTarget, DeploymentWave } from '../../../cli/api/api.ts';
import { listTable } from '../../../cli/output/table.ts';
import { offlineByWave, waveView } from '../../../cli/output/wave-view.ts';

const begun = { started_at: new Date(Date.now() - 60_000).toISOString() };
const ended = { ...begun, ended_at: new Date().toISOString() };
const counts = (more: object) =>
  ({ total: 5, waiting: 0, applied: 0, failed: 0, rolled_back: 0, cancelled: 0, ...more }) as unknown as NonNullable<
    DeploymentWave['counts']
  >;
const offline = (wave: number) => ({ wave, status: 'waiting', waiting_on: { code: 'offline' } }) as DeploymentTarget;

/** The cells of the state. */
const states = (waves: DeploymentWave[], targets: DeploymentTarget[] = []) => {
  const column = waveView(offlineByWave(targets)).columns.filter(({ header }) => header === 'STATE');
  return listTable(column, Infinity, (text) => text)
    .lines(waves)
    .slice(1);
};

test('the state of a wave has what ended, who is offline, and its soak time', () => {
  const soak = { soak_started_at: new Date(Date.now() - 3_000).toISOString() };
  const waves = [
    { number: 1, ...ended, ...soak, counts: counts({ applied: 4, failed: 1 }) },
    { number: 2, ...begun, counts: counts({ applied: 2, waiting: 2 }) },
    { number: 3, ...begun, ...soak, counts: counts({ applied: 5 }) },
    { number: 4, counts: counts({}) },
  ];
  expect(states(waves, [offline(2), offline(2), { ...offline(4), waiting_on: { code: 'wave' } }])).toEqual([
    'ended: 4 applied, 1 failed',
    '2 of 5 ended: 2 applied · 2 offline',
    'ended: 5 applied · soaks since 3s ago',
    'not begun',
  ]);
});
