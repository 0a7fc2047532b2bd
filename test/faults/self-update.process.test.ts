import { readdirSync, readFileSync, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateOf } from '../support/agent-process.ts';
import { agentRelease, childrenOf, startUpdatedRobot, type UpdatedRobot } from '../support/agent-releases.ts';
import type { Running } from '../support/cli.ts';

type Victim = 'agent' | 'supervisor' | 'both';

/** All of them take long; `npm run test:long` runs them. */
const isShort = process.env['FAULT_ROUNDS'] === undefined;
const inShort = ['activate', 'restart', 'verify'];
/** When who is killed with -9: as soon as the order is written down at that step. */
const moments: [step: string, victim: Victim][] = [
  ['download', 'agent'],
  ['install', 'supervisor'],
  ['activate', 'agent'],
  ['restart', 'both'],
  ['verify', 'agent'],
  ['verify', 'supervisor'],
  ['commit', 'both'],
];
const kills = moments.filter(([step]) => !isShort || inShort.includes(step));

const steps = [
  'download',
  'install',
  'activate',
  'restart',
  'verify',
  'commit',
  'rollback',
  'rollback_restart',
  'ended',
];

/** Resolves when the next order of this robot is written down at that step, or beyond it where that went too fast to be seen. */
async function reaches(robot: UpdatedRobot, step: string): Promise<void> {
  const folder = join(stateOf(robot.home), 'orders');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const orders = () => readdirSync(folder).filter((name) => name.endsWith('.json'));
  const known = orders();
  const isThere = () =>
    orders().some((name) => {
      const at = known.includes(name)
        ? undefined
        : /"step":"(\w+)"/.exec(readFileSync(join(folder, name), 'utf8'))?.[1];
      return at !== undefined && steps.indexOf(at) >= steps.indexOf(step);
    });
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      if (!isThere()) return;
      watcher.close();
      resolve();
    });
  });
}

/** An agent that goes to make way for its next version may be gone already. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Gives who runs after that. */
async function kill(robot: UpdatedRobot, running: Running, victim: Victim): Promise<Running> {
  const [child] = await childrenOf(running.pid);
  const isSupervised = child !== undefined;
  if (isSupervised && victim !== 'supervisor') endNow(child);
  // Before the first update they are one.
  if (isSupervised && victim === 'agent') return running;
  running.kill('SIGKILL');
  await running.ended;
  return robot.start();
}

test('kill -9 of agent and supervisor in every step of an update: it ends well, with one agent', async () => {
  await using robot = await startUpdatedRobot();
  let running = await robot.start();
  for (const [round, [step, victim]] of kills.entries()) {
    const version = `9.0.${round}`;
    const moment = reaches(robot, step);
    await robot.order(await agentRelease(version));
    await moment;
    running = await kill(robot, running, victim);
    expect(await robot.end(), `${victim} killed in ${step}: ${running.text()}`).toMatchObject({ status: 'applied' });
    await expect.poll(robot.version).toBe(`fleet-agent/${version}`);
    await expect.poll(async () => (await robot.record()).probation).toBeUndefined();
    expect(await childrenOf(running.pid)).toHaveLength(1);
  }
  expect(await robot.kinds()).not.toContain('duplicate_agent');
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('kill -9 of the agent on its way back from a release that finds no service: the one before is back, and says why', async () => {
  await using robot = await startUpdatedRobot();
  let running = await robot.start();
  await robot.order(await agentRelease('9.0.1'));
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  for (const step of isShort ? ['rollback_restart'] : ['rollback', 'rollback_restart']) {
    const moment = reaches(robot, step);
    await robot.order(await agentRelease('9.0.2', { hasLink: false }));
    await moment;
    running = await kill(robot, running, step === 'rollback' ? 'agent' : 'both');
    const end = await robot.end();
    expect(end).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
    expect(end.message).toContain('the new agent had no link');
    await expect.poll(robot.version).toBe('fleet-agent/9.0.1');
  }
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});
