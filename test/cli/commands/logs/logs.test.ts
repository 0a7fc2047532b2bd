import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { logRobot } from '../../../support/log-robot.ts';
import { startWorld } from '../../../support/world.ts';

test('the logs of a fleet are those of its robots in the order in which they came, of a level and with a text where asked', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  const [first, second] = [await make.robot('amr-007', key), await make.robot('amr-008', key)];
  using one = await logRobot(world.url, first.robot_token);
  using other = await logRobot(world.url, second.robot_token);
  await one.say('dock reached', { message: 'dock lost', level: 'error' });
  await other.say('dock is free');
  const logs = async (...flags: string[]) =>
    (await home.cli(['fleets', 'logs', first.fleet_id, '--fields', 'robot_id,message', ...flags])).stdout;
  const { robot_id: a } = first;
  const { robot_id: b } = second;
  expect(await logs()).toBe(`${a}\tdock reached\n${a}\tdock lost\n${b}\tdock is free\n`);
  expect(await logs('--level', 'error')).toBe(`${a}\tdock lost\n`);
  expect(await logs('--grep', 'free')).toBe(`${b}\tdock is free\n`);
  expect(await logs('--tail', '1')).toBe(`${b}\tdock is free\n`);
  // Names come last.
  for (const line of [['fleets', 'logs', first.fleet_id], ['logs']]) {
    const rows = (await home.cli(line)).stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split('\t').at(-1))).toEqual(['amr-007', 'amr-007', 'amr-008']);
  }
});
