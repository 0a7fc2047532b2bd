import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beRobot, runBriefly, startAgent, stateOf } from '../../../support/agent-process.ts';
import { startHome, type Home } from '../../../support/cli.ts';
import { configOrder, startOrderServer } from '../../../support/orders.ts';
import { wrongClock } from '../../../support/wrong-clock.ts';

/** Adds a table of gates to the agent.toml of the home. */
const addGates = (home: Home, ...lines: string[]) =>
  appendFile(join(home.config, 'agent.toml'), `\n[gates]\n${lines.join('\n')}\n`);

/** The robot prints this state whenever its health is asked for. */
async function setState(home: Home, state: object): Promise<void> {
  const folder = join(home.config, 'health.d');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(home.path, 'state.json'), JSON.stringify(state));
  await writeFile(join(folder, 'robot'), `#!/bin/sh\ncat ${home.path}/state.json\n`);
  await chmod(join(folder, 'robot'), 0o700);
}

test('an agent asks its gates anew until they open, over kill -9, and tells what it waits for', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await addGates(home, 'battery_percent = 30', 'docked = true', `command = "cat ${home.path}/may || exit 75"`);
  await setState(home, { battery: { percent: 18 }, docked: true });
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const order = configOrder([{ key: 'a', value: '1' }], { traceparent });
  server.orders.push(order);
  const holder = () => server.reports.findLast(({ progress }) => progress)?.progress?.waiting_on?.holder;
  {
    await using agent = startAgent(home);
    await server.until(() => holder() === 'battery');
    expect(server.links[0]?.frames[0]).toMatchObject({ capabilities: { gates: true } });
    await server.until(() =>
      server.messages('agent').includes(`order ${order.order_id} of lane config waits for a gate`),
    );
    expect(agent.text()).toContain('Connected');
  }
  server.reports = [];
  await setState(home, { battery: { percent: 80 }, docked: true });
  await using agent = startAgent(home);
  await server.until(() => holder() === 'command');
  expect(await readFile(join(stateOf(home), 'config', 'default.json'), 'utf8').catch(() => 'none')).toBe('none');
  await writeFile(join(home.path, 'may'), '');
  const end = await server.endOf(order);
  expect(end).toMatchObject({ status: 'applied', digest: order.digest });
  expect(end.steps?.map(({ step }) => step)).toContain('wait');
  // One that must not wait.
  await setState(home, { battery: { percent: 1 } });
  const urgent = configOrder([{ key: 'a', value: '2' }], { ignore_gates: true });
  server.give(urgent);
  expect(await server.endOf(urgent)).toMatchObject({ status: 'applied' });
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
  expect(server.invalid).toEqual([]);
}, 60_000);

test('an agent waits for the window of an order by its own clock and zone, and says when it opens', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await using clock = await wrongClock('+1h');
  // Open for the clock of the robot, which is an hour ahead; not for that of the machine.
  const inAnHour = new Date(Date.now() + 3_600_000);
  const openings = (at: Date) => [{ cron: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`, duration_s: 1_800 }];
  const [open, closed] = [new Date(inAnHour.getTime() - 600_000), new Date(inAnHour.getTime() + 7_200_000)];
  const window = { zone: 'UTC', at_end: 'finish' };
  const first = configOrder([{ key: 'a', value: '1' }], { window: { ...window, openings: openings(open) } });
  server.orders.push(first);
  await using agent = startAgent(home, [], { ...clock.env, TZ: 'Asia/Tokyo' });
  expect(await server.endOf(first)).toMatchObject({ status: 'applied' });
  expect(server.links[0]?.frames[0]).toMatchObject({ timezone: 'Asia/Tokyo', capabilities: { windows: true } });
  const tokyo = new Date(closed.getTime() + 9 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  const second = configOrder([{ key: 'a', value: '2' }], {
    window: { zone: 'robot', at_end: 'finish', openings: openings(new Date(closed.getTime() + 9 * 3_600_000)) },
  });
  server.give(second);
  const waits = () => server.reports.findLast(({ progress }) => progress)?.progress?.waiting_on;
  await server.until(() => waits() !== undefined);
  expect(waits()).toEqual({ holder: 'window', reason: `opens ${tokyo} Asia/Tokyo` });
  // The clock moves into the window.
  await clock.set('+185m');
  expect(await server.endOf(second)).toMatchObject({ status: 'applied' });
  agent.kill('SIGTERM');
  await agent.ended;
  expect(server.invalid).toEqual([]);
}, 60_000);

test.each([
  ['battery = 30', 'gates.battery of '],
  ['battery_percent = 101', 'must be an integer from 1 to 100'],
  ['docked = "yes"', 'must be true or false'],
  ['command = ""', 'must be a text'],
])('an agent does not start with the gate %s', async (line, message) => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  await addGates(home, line);
  const end = await runBriefly(home, []);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain(message);
});
