import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, agentRelease, childrenOf, isGone, startUpdatedRobot } from '../../../support/agent-releases.ts';
import { stateOf } from '../../../support/agent-process.ts';
import { sha256 } from '../../../support/orders.ts';

const residentMegabytes = async (pid: number | undefined) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const titleOf = async (pid: number | undefined) => (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();

test('an agent becomes the release that it is given, that one the next, and the first one again', async ({
  annotate,
}) => {
  await using robot = await startUpdatedRobot();
  const first = await robot.start();
  expect(await childrenOf(first.pid)).toEqual([]);
  const one = await robot.order(await agentRelease('9.0.1'));
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  expect(await robot.version()).toBe('fleet-agent/9.0.1');
  expect(first.text()).toContain('This is agent 9.0.1, deployed as a release');
  expect(await robot.record()).toEqual({ current: { digest: one, version: '9.0.1' }, installed: expect.any(String) });
  expect(await childrenOf(first.pid)).toHaveLength(1);

  // Ended in order, and begun as it always is: the release is in effect at once, and what was started stays small.
  first.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
  const running = await robot.start();
  expect(await robot.version()).toBe('fleet-agent/9.0.1');
  const [child] = await childrenOf(running.pid);
  expect([await titleOf(running.pid), await titleOf(child)]).toEqual(['fleet-agent-sup', 'fleet-agent']);
  const megabytes = await residentMegabytes(running.pid);
  expect(megabytes).toBeLessThan(55);
  await annotate(
    `the supervisor takes ${megabytes.toFixed(1)} MB, the agent ${(await residentMegabytes(child)).toFixed(1)}`,
  );

  const two = await robot.order(await agentRelease('9.0.2'));
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  const built = await readFile(agentFile, 'utf8');
  await robot.order(built);
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  expect(await robot.version()).toMatch(/^fleet-agent\/(?!9)/);
  expect((await readdir(robot.folder)).filter((name) => name.length === 64).toSorted()).toEqual(
    [sha256(built), two].toSorted(),
  );
  // What runs already is applied without a restart.
  const [before] = await childrenOf(running.pid);
  await robot.order(built);
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  expect(await childrenOf(running.pid)).toEqual([before]);

  // Other orders go on.
  const { id: config_id } = await robot.make.config({ key: 'nav.max_speed', value: 1.5 });
  const target_id = (await robot.world.db('robots').first('id')).id as string;
  await robot.make.deployment({ config_id, target_kind: 'robot', target_id });
  await expect
    .poll(() => readFile(join(stateOf(robot.home), 'config', 'default.json'), 'utf8').catch(() => ''))
    .toContain('1.5');
  expect(await robot.kinds()).not.toContain('duplicate_agent');
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
  expect(await isGone(before)).toBe(true);
});

test('what is no agent, or does not even start, fails before anything takes effect', async () => {
  await using robot = await startUpdatedRobot();
  const running = await robot.start();
  for (const [text, told] of [
    ['this is no program', 'SyntaxError'],
    ['console.log("1.2.3")', 'does not print its version'],
    ['process.exitCode = 5', 'it exited with 5'],
  ] as const) {
    await robot.order(text);
    const end = await robot.end();
    expect(end).toMatchObject({ status: 'failed', reason: 'install_failed' });
    expect(end.message).toContain(told);
  }
  expect(await robot.isOnline()).toBe(true);
  expect(await robot.record()).toEqual({});
  expect(await childrenOf(running.pid)).toEqual([]);
  running.kill('SIGTERM');
  await running.ended;
});

test('an agent that throws, gives up, does not know its flags or finds no service is taken back, and the old one says why', async () => {
  await using robot = await startUpdatedRobot();
  const alone = join(robot.home.path, 'agent.mjs');
  await copyFile(agentFile, alone);
  const running = await robot.start([], alone);
  const version = await robot.version();
  for (const [change, told] of [
    [
      { fault: 'throws' },
      /^the new agent was rolled back: it was started 3 times, the last time it exited with 1\n[^]*is broken/,
    ],
    [
      { fault: 'exits' },
      /rolled back: it was started 3 times, the last time it exited with 3\n[^]*the new agent gives up/,
    ],
    [{ fault: 'refusesFlags' }, /rolled back: it exited with 2\nunknown flag/],
    [{ hasLink: false }, /^the new agent had no link for 1 s without a break within 2\.5 s: .*404/],
  ] as const) {
    const digest = await robot.order(await agentRelease('9.0.1', change));
    const end = await robot.end();
    expect(end).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
    expect(end.message).toMatch(told);
    await expect.poll(robot.isOnline).toBe(true);
    expect(await robot.version()).toBe(version);
    expect(await robot.record()).toMatchObject({ taken_back: { digest } });
    expect(await robot.record()).not.toHaveProperty('current');
  }
  // Nothing of it is left that would keep a good one from coming.
  await robot.order(await agentRelease('9.0.2'));
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  expect(await robot.kinds()).not.toContain('duplicate_agent');
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});
