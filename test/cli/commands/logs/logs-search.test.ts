import { expect, test } from 'vitest';
import { packText } from '../../../../src/logs/body.ts';
import { logPartitions } from '../../../../src/logs/partitions.ts';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { countLines } from '../../../support/log-counts.ts';
import { logRobot } from '../../../support/log-robot.ts';
import { startWorld } from '../../../support/world.ts';

test('cli logs searches the org, a fleet, a site and a robot, the latest records last, or as they are found in an order', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  const [first, second] = [await make.robot('amr-007', key), await make.robot('amr-008', key)];
  const elsewhere = await make.robot('amr-009', await make.key());
  using one = await logRobot(world.url, first.robot_token);
  using other = await logRobot(world.url, second.robot_token);
  using third = await logRobot(world.url, elsewhere.robot_token);
  await one.say('dock reached', { message: 'dock lost', level: 'error' });
  await other.say('dock is free');
  await third.say('dock closed');
  const logs = async (...flags: string[]) =>
    (await home.cli(['logs', '--fields', 'message', ...flags])).stdout.trim().split('\n');

  const all = ['dock reached', 'dock lost', 'dock is free', 'dock closed'];
  expect(await logs()).toEqual(all);
  expect(await logs('--tail', '2')).toEqual(all.slice(2));
  expect(await logs('--order', 'asc', '--tail', '3')).toEqual(all.slice(0, 3));
  expect(await logs('--order', 'desc', '--tail', '2')).toEqual(['dock closed', 'dock is free']);
  expect(await logs('--fleet', first.fleet_id)).toEqual(all.slice(0, 3));
  expect(await logs('--site', elsewhere.site_id)).toEqual(['dock closed']);
  expect(await logs('--robot', 'amr-008')).toEqual(['dock is free']);
  expect(await logs('--fleet', first.fleet_id, '--robot', 'amr-009')).toEqual(['']);
  expect(await logs('--grep', 'LOST', '--level', 'warn', '--since', '1h')).toEqual(['dock lost']);
  const jsonl = await home.cli(['logs', '--tail', '1', '-o', 'jsonl']);
  expect(JSON.parse(jsonl.stdout)).toMatchObject({ robot_id: elsewhere.robot_id, message: 'dock closed' });
  const table = await home.cli(['logs', '-o', 'table', '--tail', '1']);
  expect(table.stdout).toMatch(/TIME +ROBOT +LEVEL +SOURCE +MESSAGE\n.* amr-009 +info +.* dock closed/);

  const refused = async (...flags: string[]) => (await home.cli(['logs', ...flags])).stderr;
  expect(await refused('--follow')).toContain('--follow requires --robot, --fleet or --site');
  expect(await refused('--follow', '--robot', 'amr-007', '--site', first.site_id)).toContain('excludes');
  expect(await refused('--follow', '--fleet', first.fleet_id, '--order', 'asc')).toContain('--order and --follow');
});

test('the short ID of a removed robot, whose logs stay, is refused with the command that prints the whole one', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const robot = await factories(world).robot('amr-007');
  const atMs = Date.now() - 3_600_000;
  await countLines(
    world,
    [{ robotId: robot.robot_id, fleetId: robot.fleet_id, atMs, lines: 3 }],
    new Date(atMs + 1_800_000),
  );
  expect((await home.cli(['robots', 'remove', 'amr-007'])).code).toBe(0);
  const { code, stderr } = await home.cli(['logs', '--robot', robot.robot_id.slice(-8)]);
  expect(code).toBe(5);
  const [, command = ''] = /A removed robot needs its whole ID, from: cli (.*)$/m.exec(stderr) ?? [];
  expect((await home.cli(command.split(' '))).stdout).toContain(robot.robot_id);
  expect((await home.cli(['logs', '--robot', 'amr-007'])).stderr).not.toContain('A removed robot');
});

test('cli logs follows the cursor by itself through pages without a match', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const robot = await factories(world).robot('amr-007');
  const lines = (message: string) => `${JSON.stringify({ level: 'info', source: 'test', message })}\n`;
  const noise = await packText(lines('x'.repeat(15_000)).repeat(60));
  const rows = Array.from({ length: 60 }, (_each, index) => ({ index, packed: noise }));
  const startMs = Date.now() - 86_400_000;
  await logPartitions(world.db).make([startMs - (startMs % 86_400_000)]);
  const row = (index: number, records: number, packed: typeof noise) => ({
    org_id: world.orgId,
    robot_id: robot.robot_id,
    fleet_id: robot.fleet_id,
    first_at: new Date(startMs + index),
    received_at: new Date(startMs + index),
    first_seq: index * 100 + 1,
    last_seq: index * 100 + records,
    records,
    max_level: 2,
    ...packed,
  });
  await world.db.batchInsert('log_chunks', [
    row(0, 1, await packText(lines('a needle, old'))),
    ...rows.map(({ index, packed }) => row(index + 1, 60, packed)),
    row(61, 1, await packText(lines('a needle, new'))),
  ]);
  for (const order of [[], ['--order', 'asc']]) {
    const { stdout, stderr, code } = await home.cli(['logs', '--grep', 'needle', '--fields', 'message', ...order]);
    expect([code, stderr, stdout]).toEqual([0, '', 'a needle, old\na needle, new\n']);
  }
});
