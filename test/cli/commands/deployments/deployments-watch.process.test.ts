import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listen, startHome } from '../../../support/cli.ts';
import { testWith } from '../../../support/tools.ts';

const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c81';
const robotId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';
const counts = { total: 1, waiting: 1, dispatched: 0, downloading: 0, installing: 0, verifying: 0, cancelling: 0 };
const ends = { rolling_back: 0, applied: 0, failed: 0, rolled_back: 0, cancelled: 0 };
const event = (seq: number, status: string, more: object = {}) => ({
  id: `e-${seq}`,
  seq,
  at: '2026-11-22T03:04:05.000Z',
  status,
  ...more,
});

/** One deployment of a service that can be made to fail: what happens to it, and how the questions for it are answered. */
async function oneDeployment(...events: { seq: number; status: string }[]) {
  const [rollout, reason] = [undefined as unknown, undefined as string | undefined];
  const state = { events, status: 200, kind: 'fleet', sizes: [] as number[], limit: 0, rollout, reason };
  const server = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const last = state.events.at(-1)?.status ?? 'pending';
    response.statusCode = state.status;
    const answer = (): object => {
      if (state.status !== 200)
        return { error: { code: state.status === 401 ? 'unauthorized' : 'http_error', message: 'not now' } };
      const after = Number(searchParams.get('after') ?? 0);
      const limit = Number(searchParams.get('limit') ?? 1000);
      if (pathname.endsWith('/events')) state.limit = limit;
      if (pathname.endsWith('/events')) return { items: state.events.filter(({ seq }) => seq > after).slice(0, limit) };
      if (pathname.endsWith('/targets'))
        return { items: [{ robot_id: robotId, status: 'waiting', waiting_on: { code: 'agent_too_old' } }] };
      if (pathname === '/api/robots') return { items: [{ id: robotId, name: 'amr-007\u001b[31m' }] };
      if (pathname.startsWith('/api/robots/')) return { data: { id: robotId, name: 'amr-007' } };
      const waiting_on = { code: 'robots_offline' };
      const target = { target_kind: state.kind, target_id: robotId };
      return {
        data: {
          id,
          release_id: 'r',
          ...target,
          status: last,
          counts: { ...counts, ...ends },
          waiting_on,
          rollout: state.rollout,
          reason: state.reason,
        },
      };
    };
    const body = JSON.stringify(answer());
    state.sizes.push(body.length);
    response.end(body);
  });
  return Object.assign(server, { state });
}

const watch = ['deployments', 'watch', id];

test('watching outlasts a service that is away, and prints no event twice', async () => {
  await using server = await oneDeployment(event(1, 'pending'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start([...watch, '--json'], { input: '' });
  await running.sees('"pending"');
  server.state.status = 503;
  await running.sees('No response: not now. Retrying in');
  server.state.events.push(event(2, 'in_progress'), event(3, 'applied'));
  server.state.status = 200;
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(server.state.events);
  expect(stderr).toMatch(/^No response: .*\nThe service responds again\.\n$/);
});

test('a refusal ends the watching with its own code', async () => {
  await using server = await oneDeployment(event(1, 'pending'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(watch, { input: '' });
  await running.sees('pending');
  server.state.status = 401;
  expect(await running.ended).toMatchObject({ code: 4 });
});

test('more events than one answer holds are read at once, and a status of a later version goes on', async () => {
  const many = Array.from({ length: 2500 }, (_, index) => event(index + 1, 'in_a_new_status'));
  await using server = await oneDeployment(...many, event(2501, 'applied'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { code, stdout } = await home.cli([...watch, '-o', 'jsonl', '--fields', 'seq']);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(2501);
});

test('-o kv has an empty line after each event', async () => {
  await using server = await oneDeployment(event(1, 'pending'), event(2, 'applied'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { stdout } = await home.cli([...watch, '-o', 'kv', '--fields', 'seq,status']);
  expect(stdout).toBe('seq\t1\nstatus\tpending\n\nseq\t2\nstatus\tapplied\n\n');
});

test('an answer to the watching of a fleet stays below 50 KB, however much happens', async () => {
  const robots = Array.from({ length: 1_000 }, () => ({ robot_id: randomUUID(), reason: 'verify_failed' }));
  const reports = robots.map((robot, index) =>
    event(100_000 + index, 'in_progress', { ...robot, id: randomUUID(), target_status: 'downloading' }),
  );
  await using server = await oneDeployment(...reports, event(200_000, 'applied'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { code, stdout } = await home.cli([...watch, '--json']);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1_001);
  expect(Math.max(...server.state.sizes)).toBeLessThan(50_000);
});

test('watching ends also where the last event is the last one of a full answer', async () => {
  await using server = await oneDeployment();
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start([...watch, '--json'], { input: '' });
  await expect.poll(() => server.state.limit).toBeGreaterThan(0);
  const { limit } = server.state;
  server.state.events.push(
    ...Array.from({ length: limit }, (_, n) => event(n + 1, n < limit - 1 ? 'in_progress' : 'applied')),
  );
  expect((await running.ended).code).toBe(0);
});

test('what a robot says of its end takes no line of its own and moves no cursor', async () => {
  for (const [reason, shown] of [
    ['\u001b[2Jgone\nApplied.', '\u241b[2Jgone\u240aApplied.'],
    ['constructor', 'constructor'],
  ] as const) {
    await using server = await oneDeployment(
      event(1, 'failed', { robot_id: robotId, target_status: 'failed', reason }),
    );
    await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
    const { code, stderr } = await home.cli(watch);
    expect(code).toBe(7);
    expect(stderr).toMatch(/^Error: [^\n]*\n {2}More: [^\n]*\n$/);
    expect(stderr.split('\n')[0]).toBe(`Error: the deployment ended as failed: ${shown}`);
  }
});

test('an aborted deployment ends with its reason, also if its rollback begins after that', async () => {
  await using server = await oneDeployment(
    event(1, 'rolled_back', { reason: 'rollback_started', message: '3 robots' }),
  );
  server.state.reason = 'aborted';
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { code, stderr } = await home.cli(watch);
  expect([code, stderr.split('\n')[0]]).toEqual([7, 'Error: the deployment ended as rolled back: aborted']);
});

test('Ctrl-C ends the watching, not the deployment, and says how to go on', async () => {
  await using server = await oneDeployment(event(1, 'pending'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(watch, { input: '' });
  await running.sees('pending');
  const at = performance.now();
  running.kill('SIGINT');
  expect(await running.ended).toMatchObject({
    code: 130,
    stderr: `Stopped watching. The deployment continues.\n  Watch it: cli deployments watch ${id}   Stop it: cli deployments cancel ${id}\n`,
  });
  expect(performance.now() - at).toBeLessThan(1_900); // it would ask again after 2 s
  expect(server.requests.filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('--timeout ends with 8 and says what is waited for', async () => {
  await using server = await oneDeployment(event(1, 'pending'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { code, stderr } = await home.cli(['configs', 'watch', id, '--timeout', '3s']);
  expect(code).toBe(8);
  const wait = 'the robots it waits for are offline, or their agents are too old';
  expect(stderr).toContain(`Not ended after 3s: ${wait}. The deployment continues.\n  Watch it: cli configs watch`);
});

test('--timeout ends with 8 while the service is away too', async () => {
  await using server = await oneDeployment(event(1, 'pending'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start([...watch, '--timeout', '4s'], { input: '' });
  await running.sees('pending');
  server.state.status = 503;
  const { code, stderr } = await running.ended;
  expect(code).toBe(8);
  expect(stderr).toContain('Not ended after 4s. The deployment continues.\n');
});

test('when nothing happens for ten seconds it is said what it waits for, once', { timeout: 60_000 }, async () => {
  await using server = await oneDeployment(event(1, 'pending'));
  server.state.kind = 'robot';
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { stdout, stderr } = await home.cli([...watch, '--timeout', '15s']);
  expect(stdout.split('\n')).toHaveLength(2);
  expect(stderr.split('\n').filter((line) => line.startsWith('Still'))).toEqual([
    'Still pending: the agent of the robot is too old: run a newer one',
  ]);
});

testWith('script')('on a terminal one line tells how far it is, and gives way to events', async () => {
  await using server = await oneDeployment(event(1, 'pending'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start([...watch, '--verbose', '--no-color'], { columns: 80 });
  await running.sees('\r\u001b[?7lpending · 1 waiting\u001b[K');
  const seen = { robot_id: robotId, target_status: 'failed', reason: 'verify_failed', message: 'one\ntwo\u001b[2J' };
  server.state.events.push(event(2, 'failed', seen));
  const { code, stdout } = await running.ended;
  expect(code).toBe(7);
  const time = new Date('2026-11-22T03:04:05.000Z').toTimeString().slice(0, 8);
  expect(stdout).toContain(
    `\r\u001b[K${time}  failed        amr-007␛[31m  verify_failed\r\n          one\r\n          two␛[2J\r\n`,
  );
  expect(stdout).toContain('Error: the deployment ended as failed');
});

testWith('script')('on a terminal the line has how far the wave is, and the end has all waves', async () => {
  await using server = await oneDeployment(event(1, 'in_progress'));
  const own = { ...counts, ...ends };
  const [at, applied] = ['2026-11-22T03:04:05.000Z', { ...own, waiting: 0, applied: 1 }];
  const waves = [
    { number: 1, started_at: at, counts: applied },
    { number: 2, started_at: at, counts: own },
    { number: 3, counts: own },
  ];
  server.state.rollout = { wave: 2, waves };
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start([...watch, '--no-color'], { columns: 100 });
  await running.sees('wave 2 of 3: 0 of 1 ended · 0/1 applied');
  server.state.events.push(event(2, 'cancelled'));
  const { code, stdout } = await running.ended;
  expect(code).toBe(7);
  expect(stdout).toContain('Wave 1: 1 applied · wave 2: none ended · wave 3: not begun');
});
