import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AnyDeployment } from '../../../../cli/api/api.ts';
import { doneOf } from '../../../../cli/output/deployment-format.ts';
import type { Desired } from '../../../../generated/frames.js';
import { signedInHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { linkedAgent } from '../../../support/fake-agent.ts';
import { testWith } from '../../../support/tools.ts';
import { startWorld, type World } from '../../../support/world.ts';

const artifact = { artifact_sha256: 'a'.repeat(64), artifact_size: 5 };

interface Robot {
  robot_id: string;
  robot_token: string;
}

/** A fleet of robots amr-1, amr-2 … with the release nav-1.8.2. */
async function withFleet(world: World, robots: number): Promise<Robot[]> {
  const make = factories(world);
  const key = await make.key();
  const made: Robot[] = [];
  for (let index = 1; index <= robots; index += 1) made.push((await make.robot(`amr-${index}`, key)) as Robot);
  await world.call('POST', '/api/releases', { body: { ...artifact, tag: 'nav-1.8.2' } });
  return made;
}

/** Links a robot that answers its first order with these reports, the proof where it applied, until its world ends. */
async function obey(
  world: World,
  robot: Robot,
  ...reports: { status: string; reason?: string; message?: string }[]
): Promise<void> {
  const agent = await linkedAgent(world.url, robot.robot_token, { hello: { capabilities: { orders: true } } });
  const carryOut = async () => {
    for (;;) {
      const [order] = ((await agent.next('desired')) as unknown as Desired).items;
      if (!order) continue;
      const proof = order.lane === 'config' ? order.digest : artifact.artifact_sha256;
      for (const report of reports) {
        const digest = report.status === 'applied' ? { digest: proof } : {};
        agent.send({ type: 'report', order_id: order.order_id, ...report, ...digest });
        await agent.next('report_ack');
      }
      return;
    }
  };
  // A test that is over closes the link under it.
  void carryOut().catch(() => undefined);
}

const applied = [{ status: 'downloading' }, { status: 'installing' }, { status: 'applied' }];
const failed = [{ status: 'failed', reason: 'verify_failed', message: 'healthcheck exited with 1\nport \u001b[31m7' }];
const rolledBack = [{ status: 'rolling_back' }, { status: 'rolled_back', reason: 'verify_failed' }];

/** Columns of TSV lines. */
const rows = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

const deployed = async (home: Home, ...flags: string[]) =>
  (await home.cli(['deploy', 'nav-1.8.2', '--fleet', 'pickers', '--fields', 'id', ...flags])).stdout.trim();

test('--watch prints each event once, names the robots, and ends with 0 when it was applied', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const [robot] = (await withFleet(world, 1)) as [Robot];
  await obey(world, robot, ...applied);
  const line = ['deploy', 'nav-1.8.2', '--robot', 'amr-1', '--watch'];
  const { code, stdout, stderr } = await home.cli(line);
  expect(code).toBe(0);
  const events = rows(stdout);
  expect(events.map(([seq]) => Number(seq))).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)).toEqual(expect.arrayContaining(['applied', robot.robot_id, 'amr-1']));
  expect(events.map((event) => event[4])).toEqual(expect.arrayContaining(['dispatched', 'installing', 'applied']));
  const id = /id {3}(\S+)\n {2}key {2}[0-9a-f-]{36}\n/.exec(stderr)?.[1] ?? '';
  // Whoever watches one that has ended gets the same.
  const again = await home.cli(['deployments', 'watch', id]);
  expect(again).toEqual({ code: 0, stdout, stderr: '' });
  const rest = await home.cli(['deployments', 'watch', id, '--after', String(events.length)]);
  expect(rest).toEqual({ code: 0, stdout: '', stderr: '' });
  const inspected = await home.cli(['robots', 'inspect', 'amr-1', '-o', 'json', '--fields', 'releases']);
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    data: { releases: { container_image: { tag: 'nav-1.8.2', deployment_id: id } } },
  });
});

test.each([
  ['failed', failed, '1 failed'],
  ['rolled_back', rolledBack, '1 rolled back'],
])('a watched deployment that ends %s ends with 7 and the way to learn why', async (status, reports, counts) => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const [robot, other] = (await withFleet(world, 2)) as [Robot, Robot];
  await obey(world, robot, ...reports);
  await obey(world, other, ...applied);
  const { code, stdout, stderr } = await home.cli(['deploy', 'nav-1.8.2', '--fleet', 'pickers', '--watch', '--json']);
  expect(code).toBe(7);
  const [made, ...events] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { data: { id: string }; seq: number; status: string });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.at(-1)?.status).toBe(status);
  expect(stderr).toContain(`Error: the deployment ended as ${status.replace('_', ' ')}: 1 applied, ${counts}`);
  const id = made?.data.id ?? '';
  expect(stderr).toContain(`More: cli deployments show ${id}\n`);
  const targets = await home.cli(['deployments', 'targets', id, '--status', status, '--fields', 'robot_id,reason']);
  expect(targets.stdout).toBe(`${robot.robot_id}\tverify_failed\n`);
});

testWith('script')('on a terminal a deployment is shown with what went wrong, whole and harmless', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const [robot] = (await withFleet(world, 2)) as [Robot];
  await obey(world, robot, ...failed);
  const id = await deployed(home);
  const status = async () =>
    (await home.cli(['deployments', 'targets', id, '--status', 'failed', '-o', 'name'])).stdout.trim();
  await expect.poll(status).toBe(robot.robot_id);
  const { stdout } = await home.cli(['deployments', 'show', id, '--no-color'], { columns: 100 });
  const lines = stdout.split('\r\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'RELEASE    nav-1.8.2',
      'TARGET     pickers',
      'STATUS     in progress',
      'ROBOTS     2 robots: 1 waiting, 1 failed',
      expect.stringMatching(/^WAITS FOR {2}the robots it waits for are offline/),
      'Failed: 1',
      expect.stringMatching(/^amr-1 {2}verify_failed {2}/),
      '  healthcheck exited with 1',
      '  port ␛[31m7',
      'Waiting',
      expect.stringMatching(/^amr-2 {2}waiting {2}the robot is offline/),
      'Last events',
    ]),
  );
  const list = await home.cli(['deployments', 'list', '--no-color'], { columns: 130 });
  expect(list.stdout).toMatch(/\r\n[0-9a-f]{8} {2}nav-1\.8\.2 {2}in progress {2}pickers {2}0\/2 applied, 1 failed {2}/);
});

test('a cancelled deployment never reaches a robot; to cancel one that has ended is a conflict', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withFleet(world, 1);
  const id = await deployed(home, '--scheduled-at', '2030-01-01T00:00:00Z');
  expect((await home.cli(['deployments', 'list', '--status', 'scheduled', '-o', 'name'])).stdout).toBe(`${id}\n`);
  const watching = home.start(['deployments', 'watch', id], { input: '' });
  await watching.sees('scheduled');
  expect((await home.cli(['deployments', 'cancel', id, '--fields', 'status'])).stdout).toBe('cancelled\n');
  const { code, stderr } = await watching.ended;
  expect(code).toBe(7);
  expect(stderr).toContain('Error: the deployment ended as cancelled');
  const again = await home.cli(['deployments', 'cancel', id]);
  expect(again.code).toBe(6);
  expect(again.stderr).toContain('the deployment has ended: cancelled');
  expect(
    (await home.cli(['deployments', 'list', '--fleet', 'pickers', '--release', 'nav-1.8.2', '-o', 'name'])).stdout,
  ).toBe(`${id}\n`);
  expect((await home.cli(['deployments', 'list', '--robot', 'amr-1', '-o', 'name'])).stdout).toBe('');
  const events = await home.cli(['deployments', 'events', id, '--fields', 'status']);
  expect(events.stdout).toBe('scheduled\ncancelled\n');
  for (const command of ['show', 'watch', 'cancel', 'targets', 'events'])
    expect((await home.cli(['deployments', command, randomUUID()])).code, command).toBe(5);
});

test('a deployment is paused with a reason, which its robot and its watchers see, and continues', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withFleet(world, 1);
  const id = await deployed(home);
  await expect
    .poll(async () => (await home.cli(['deployments', 'show', id, '--fields', 'status'])).stdout)
    .toBe('pending\n');
  const watching = home.start(['deployments', 'watch', id], { input: '' });
  const pause = ['deployments', 'pause', id.slice(-8), '--reason', 'crashes'];
  const paused = await home.cli([...pause, '--fields', 'status,paused']);
  expect(paused.stdout).toMatch(/^paused\t\{"since":"[^"]+","code":"requested","reason":"crashes"\}\n$/);
  await watching.sees('crashes');
  const robot = await home.cli(['deployments', 'targets', id, '--jq', '.items[0].waiting_on.code']);
  expect(robot.stdout).toBe('paused\n');
  const shown = await home.cli(['deployments', 'show', id, '--no-color'], { columns: 200 });
  expect(shown.stdout).toMatch(/PAUSED +since .+: crashes/);
  const resumed = await home.cli(['deployments', 'resume', id, '--reason', 'fixed', '--fields', 'status']);
  expect(resumed.stdout).toBe('pending\n');
  await watching.sees('fixed');
  await home.cli(['deployments', 'cancel', id]);
  expect((await watching.ended).code).toBe(7);
  expect(await home.cli(['deployments', 'pause', id])).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('the deployment has ended: cancelled'),
  });
  const dry = await home.cli(['deployments', 'resume', id, '--dry-run']);
  expect([dry.code, dry.stdout + dry.stderr]).toEqual([
    0,
    expect.stringContaining(`POST /api/deployments/${id}/resume`),
  ]);
});

test('a deployment with a policy shows its waves, and a person begins the next one', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withFleet(world, 3);
  await home.cli([
    'policies',
    'create',
    'careful',
    '--wave',
    'first: 1',
    '--soak',
    '10m',
    '--abort',
    'any 1 then cancel',
  ]);
  const deploy = ['deploy', 'nav-1.8.2', '--fleet', 'pickers', '--policy', 'careful'];
  const dry = await home.cli([...deploy, '--dry-run', '--json']);
  expect(JSON.parse(dry.stdout).data).toMatchObject({
    rollout_policy_name: 'careful',
    waves: [
      { number: 1, name: 'first', robots: 1 },
      { number: 2, robots: 2 },
    ],
  });
  const id = (await home.cli([...deploy, '--yes', '--fields', 'id'])).stdout.trim();
  await expect
    .poll(async () => (await home.cli(['deployments', 'show', id, '--fields', 'status'])).stdout)
    .toBe('pending\n');
  const show = async () => (await home.cli(['deployments', 'show', id, '--no-color'], { columns: 200 })).stdout;
  expect(await show()).toMatch(/ROLLOUT +careful, wave 1 of 2/);
  expect(await show()).toMatch(/1 +first +1 +0 of 1 ended · 1 offline/);
  expect(await show()).toMatch(/2 +2 +not begun/);
  expect((await home.cli(['deployments', 'targets', id, '--no-color'], { columns: 200 })).stdout).toContain(
    'its wave has not begun',
  );
  const watching = home.start(['deployments', 'watch', id], { input: '' });
  await watching.sees('wave_started');
  expect((await home.cli(['deployments', 'advance', id.slice(-8), '--reason', 'in repair'])).code).toBe(0);
  await watching.sees('wave 2 of 2: 2 robots');
  await expect
    .poll(async () => (await home.cli(['deployments', 'advance', id])).stderr)
    .toContain('the last wave has begun');
  await home.cli(['deployments', 'cancel', id, '--yes']);
  expect((await watching.ended).code).toBe(7);
});

test('whoever resumes a rollout after an ended wave reads that the next wave begins', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const [robot] = (await withFleet(world, 2)) as [Robot];
  await obey(world, robot, ...applied);
  await home.cli(['policies', 'create', 'stepwise', '--wave', '1', '--soak', '0s', '--then', 'pause']);
  const id = await deployed(home, '--policy', 'stepwise', '--yes');
  await expect
    .poll(async () => (await home.cli(['deployments', 'show', id, '--jq', '.data.paused.code'])).stdout)
    .toBe('wave_ended\n');
  const resumed = await home.cli(['deployments', 'resume', id], { columns: 200 });
  expect(resumed.stdout).toContain('The next wave begins. Failures until now no longer count. Watch it:');
});

test('a policy needs a fleet, and a name that exists', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withFleet(world, 1);
  const deploy = (...more: string[]) => home.cli(['deploy', 'nav-1.8.2', '--policy', 'careful', ...more]);
  expect(await deploy('--robot', 'amr-1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--policy requires --fleet'),
  });
  expect(await deploy('--fleet', 'pickers')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('rollout policy "careful" not found'),
  });
});

test('DONE counts what was applied, and names every other end', () => {
  const none = {
    waiting: 0,
    dispatched: 0,
    downloading: 0,
    installing: 0,
    verifying: 0,
    cancelling: 0,
    rolling_back: 0,
  };
  const done = (total: number, applied: number, failed = 0, rolled_back = 0, cancelled = 0) =>
    doneOf({ counts: { ...none, total, applied, failed, rolled_back, cancelled } } as AnyDeployment);
  expect(done(3, 3)).toBe('3/3');
  expect(done(3, 2, 0, 0, 1)).toBe('2/3 applied, 1 cancelled');
  expect(done(9, 2, 1, 1, 1)).toBe('2/9 applied, 1 failed, 1 rolled back, 1 cancelled');
  expect(done(0, 0)).toBe('');
});
