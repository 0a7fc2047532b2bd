import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Order } from '../../../../generated/frames.js';
import { seeded } from '../../../../cli/agent/simulate/random.ts';
import { memorySpool } from '../../../../cli/agent/simulate/spool.ts';
import { profiles } from '../../../../cli/agent/simulate/profile.ts';
import { readProfile } from '../../../../cli/agent/simulate/read-profile.ts';
import { startTimerWheel } from '../../../../cli/agent/simulate/timer-wheel.ts';
import { startAgentServer, type AgentServer } from '../../../support/agent-server.ts';
import { startHome, type CliResult, type Home } from '../../../support/cli.ts';
import { configOrder, releaseOrder, sha256, startOrderServer } from '../../../support/orders.ts';

interface Enrolling extends AgentServer {
  /** Nonce and name of each enrollment that was taken. */
  enrolled: { nonce: string; name: string }[];
  maxUses: number;
  /** Upgrades are taken with these tokens alone. */
  tokens: Set<string>;
  /** Answers before anything is looked at; true for done. */
  first: (response: ServerResponse) => boolean;
}

/** The agent server, which enrolls as well. */
async function startEnrolling(): Promise<Enrolling> {
  const server: Enrolling = Object.assign(await startAgentServer(), {
    enrolled: [],
    maxUses: Number.POSITIVE_INFINITY,
    tokens: new Set<string>(),
    first: () => false,
  });
  server.refuse = ({ headers }) =>
    server.tokens.has(headers.authorization?.slice('Bearer '.length) ?? '') ? undefined : { status: 401 };
  server.answer = (request, response) => {
    void readAll(request).then((body) => {
      if (server.first(response)) return;
      const { nonce, name } = JSON.parse(body) as { nonce: string; name: string };
      const isKnown = server.enrolled.some((each) => each.nonce === nonce);
      const right =
        request.url === '/agent/enroll' && /^Bearer svc_enroll_k2?$/.test(request.headers.authorization ?? '');
      if (!right || (!isKnown && server.enrolled.length >= server.maxUses)) {
        const error = { code: 'unauthorized', message: 'the enrollment key is not good' };
        response.writeHead(401).end(JSON.stringify({ error }));
        return;
      }
      if (!isKnown) server.enrolled.push({ nonce, name });
      const token = `svc_robot_${randomBytes(8).toString('hex')}`;
      server.tokens.add(token);
      const data = { robot_id: nonce, robot_token: token, robot_name: name, org_id: 'o', site_id: 's', fleet_id: 'f' };
      response.writeHead(201).end(JSON.stringify({ data }));
    });
  };
  return server;
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const simulate = (home: Home, server: AgentServer, ...args: string[]) => {
  const line = ['agent', 'simulate', '--backend-url', server.url, '--json', ...args];
  return home.start(line, { env: { SERVICE_ENROLLMENT_KEY: 'svc_enroll_k' }, input: '' });
};

const totalsOf = ({ stdout }: CliResult) => (JSON.parse(stdout) as { data: Record<string, number> }).data;

async function profileFile(home: Home, profile: object): Promise<string> {
  const path = join(home.path, 'profile.json');
  await writeFile(path, JSON.stringify(profile));
  return path;
}

const chatty = { heartbeat_seconds: 1, log_lines_per_minute: 600, log_batch_seconds: 0.2 };
const stateOf = (home: Home) => join(home.path, '.local', 'state', 'service');

test('robots enroll, keep a link each, send heartbeats with health and logs, and end with totals on a signal', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  const running = simulate(home, server, '--count', '20', '--profile', await profileFile(home, chatty));
  await server.until(() => new Set(server.links.map(({ frames }) => frames[0]?.type)).size === 1);
  await server.until(
    () =>
      server.links.length === 20 &&
      server.stored.size === 20 &&
      server.links.every(({ frames }) => frames.filter(({ type }) => type === 'heartbeat').length >= 2),
  );
  await running.sees('up 20');
  running.kill('SIGINT');
  const result = await running.ended;
  expect(result.code).toBe(0);
  expect(server.invalid).toEqual([]);
  const totals = totalsOf(result);
  expect(totals).toMatchObject({ robots: 20, connects: 20, refused: 0, log_records_dropped: 0 });
  expect(totals['log_records_acknowledged']).toBeGreaterThan(20);
  expect(server.links.map(({ socket }) => socket.readyState)).toEqual(Array(20).fill(3));
  const health = server.links.flatMap(({ frames }) => frames.flatMap((frame) => ('health' in frame ? [frame] : [])));
  expect(health.length).toBeGreaterThanOrEqual(20);
  expect(JSON.stringify(health[0]).length).toBeLessThan(800);
  expect(new Set(server.enrolled.map(({ name }) => name))).toContain('sim-1-00020');
});

test('robots of a profile with a camera show it to who looks, several at once', async () => {
  await using server = await startEnrolling();
  const { refuse } = server;
  server.refuse = (request) => (request.url?.startsWith('/agent/streams/') ? undefined : refuse?.(request));
  await using home = await startHome();
  const profile = await profileFile(home, { camera_fps: 10 });
  const running = simulate(home, server, '--count', '2', '--profile', profile);
  await server.until(() => server.links.length === 2 && server.links.every(({ frames }) => frames.length > 0));
  for (const { frames } of server.links) expect(frames[0]).toMatchObject({ capabilities: { cameras: ['camera'] } });
  const pictures: number[] = [];
  server.onStream = (socket) => void socket.on('message', (data: Buffer) => void pictures.push(data.readUInt16BE(0)));
  const expires = new Date(Date.now() + 10_000).toISOString();
  for (const id of ['s-1', 's-2'])
    server.links[0]?.send({
      type: 'open',
      session_id: id,
      kind: 'camera',
      path: `/agent/streams/${id}`,
      secret: 'x',
      expires_at: expires,
      parameters: { camera: 'camera', per_second: null },
    });
  await server.until(() => pictures.length > 10);
  expect(new Set(pictures)).toEqual(new Set([0xffd8]));
  expect(server.invalid).toEqual([]);
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
});

test('the same seed gives the same robots, also with another key: a second run enrolls none, a larger one those that are missing', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  const run = async (...args: string[]) => {
    const running = simulate(home, server, '--duration-seconds', '1', ...args);
    expect((await running.ended).code, running.text()).toBe(0);
  };
  await run('--count', '3');
  expect(server.enrolled).toHaveLength(3);
  await run('--count', '3');
  expect(server.enrolled).toHaveLength(3);
  await run('--count', '5', '--enrollment-key', 'svc_enroll_k2');
  expect(server.enrolled).toHaveLength(5);
  const again = simulate(home, server, '--duration-seconds', '1', '--count', '5', '--enrollment-key', 'svc_enroll_k2');
  expect((await again.ended).stderr).toContain('These robots are already enrolled. The enrollment key is not used.');
  expect(server.enrolled).toHaveLength(5);
  const [file = ''] = (await readdir(stateOf(home))).filter((name) => name.endsWith('.toml'));
  expect(await readFile(join(stateOf(home), file), 'utf8')).not.toContain('svc_enroll_k');
  // Its file lost, the crowd asks with the nonces it had.
  await rm(stateOf(home), { recursive: true });
  await run('--count', '5');
  expect(server.enrolled).toHaveLength(5);
  await run('--count', '2', '--seed', 'other');
  expect(server.enrolled).toHaveLength(7);
});

test('a key that is not good ends it with 4; robots that enrolled before it was used up are kept', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  server.maxUses = 3;
  const cut = await simulate(home, server, '--count', '5').ended;
  expect(cut.code).toBe(4);
  expect(cut.stderr).toContain('3 of 5 robots are enrolled and kept.');
  const before = server.tokens.size;
  expect((await simulate(home, server, '--count', '3', '--duration-seconds', '1').ended).code).toBe(0);
  expect(server.tokens.size).toBe(before);
});

test('a service that asks to slow down is obeyed', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  let left = 12;
  server.first = (response) => {
    if ((left -= 1) < 0) return false;
    response.writeHead(429, { 'Retry-After': '0' }).end('{"error":{"code":"http_error","message":"slow down"}}');
    return true;
  };
  expect((await simulate(home, server, '--count', '4', '--duration-seconds', '1').ended).code).toBe(0);
  expect(server.enrolled).toHaveLength(4);
});

test('a refusal that names a time, as of a suspended org, is waited for', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  let left = 1;
  server.first = (response) => {
    if ((left -= 1) < 0) return false;
    response
      .writeHead(401, { 'Retry-After': '1' })
      .end('{"error":{"code":"unauthorized","message":"the org is suspended"}}');
    return true;
  };
  expect((await simulate(home, server, '--count', '1', '--duration-seconds', '1').ended).code).toBe(0);
  expect(server.enrolled).toHaveLength(1);
});

test('robots that are refused for good are told of, and the next run enrolls anew', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  expect((await simulate(home, server, '--count', '2', '--duration-seconds', '1').ended).code).toBe(0);
  const [before] = [server.tokens.size, server.tokens.clear()];
  const refused = await simulate(home, server, '--count', '2').ended;
  expect(refused.code).toBe(4);
  expect(totalsOf(refused)).toMatchObject({ refused: 2, connects: 0 });
  expect((await simulate(home, server, '--count', '2', '--duration-seconds', '1').ended).code).toBe(0);
  expect(before + server.tokens.size).toBe(4);
});

test('what was not acknowledged goes again on the next link, and nothing is stored twice', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  server.acknowledges = false;
  const running = simulate(home, server, '--count', '2', '--profile', await profileFile(home, chatty));
  const logsOf = (link: number) => (server.links[link]?.frames ?? []).filter(({ type }) => type === 'logs');
  await server.until(() => logsOf(0).length >= 3 && logsOf(1).length >= 3);
  server.acknowledges = true;
  for (const { socket } of server.links) socket.terminate();
  await server.until(() => server.links.length >= 4 && server.stored.size === 2);
  await server.until(() => [...server.stored.values()].every((spool) => spool.size > 10));
  running.kill('SIGTERM');
  expect(totalsOf(await running.ended)).toMatchObject({ connects: 4 });
  for (const spool of server.stored.values()) {
    const numbers = [...spool.keys()].sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  }
});

test('a flaky robot loses its link on purpose and comes back', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  const flaky = { flaps_per_hour: 3_600, flap_seconds_min: 0, flap_seconds_max: 0.2 };
  const running = simulate(home, server, '--count', '3', '--profile', await profileFile(home, flaky));
  await server.until(() => server.links.length >= 9);
  running.kill('SIGTERM');
  const result = await running.ended;
  expect(result.code).toBe(0);
  expect(totalsOf(result)['flaps']).toBeGreaterThanOrEqual(6);
});

test('the same robots are not played twice at once', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  const first = simulate(home, server, '--count', '1');
  await first.sees('up 1');
  const second = await simulate(home, server, '--count', '1').ended;
  expect(second.code).toBe(6);
  expect(second.stderr).toContain('these robots are already simulated');
  first.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
});

test('where nobody answers it says at once what it waits for, and each fault once', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  const gone = await startEnrolling();
  await gone[Symbol.asyncDispose]();
  const began = performance.now();
  const running = simulate(home, gone, '--count', '20');
  await running.sees(`Simulating 20 robots of seed 1 at ${gone.url}`);
  await running.sees('Not enrolled yet: connect ECONNREFUSED');
  expect(performance.now() - began).toBeLessThan(20_000); // most of it is the start of a process
  running.kill('SIGINT');
  expect((await running.ended).stderr.match(/ECONNREFUSED/g)).toHaveLength(1);
  expect((await simulate(home, server, '--count', '2', '--duration-seconds', '1').ended).code).toBe(0);
  // Enrolled already, they wait for their links.
  server.refuse = () => ({ status: 503 });
  const linking = simulate(home, server, '--count', '2');
  await linking.sees('Links: the service responded with 503');
  linking.kill('SIGINT');
  expect((await linking.ended).stderr.match(/503/g)).toHaveLength(1);
});

test('a wrong profile, seed or count is a usage error, and nothing is sent', async () => {
  await using server = await startEnrolling();
  await using home = await startHome();
  for (const [args, message] of [
    [['--count', '1', '--profile', 'lazy'], 'is not idle, busy, flaky or a readable file'],
    [['--count', '1', '--profile', await profileFile(home, { speed: 1 })], 'has an unknown key "speed"'],
    [['--count', '1', '--seed', 'a b'], '--seed must be'],
    [['--count', '0'], '--count takes a whole number'],
    [['--count', '1', '--heartbeat-seconds', '3601'], '--heartbeat-seconds takes'],
    [['--count', '1', '--duration-seconds', '2147484'], '--duration-seconds takes'],
    [[], 'missing flag --count'],
  ] as const) {
    const result = await simulate(home, server, ...args).ended;
    expect(result.code, args.join(' ')).toBe(2);
    expect(result.stderr).toContain(message);
  }
  expect(server.enrolled).toEqual([]);
});

test('a profile is some keys over those of idle, within limits', () => {
  expect(readProfile('{"cpu_percent": 90}')).toEqual({ ...profiles.idle, cpu_percent: 90 });
  for (const bad of ['', '[]', '{"cpu_percent":"90"}', '{"cpu_percent":101}', '{"flap_seconds_min":20}', '{"a":1}'])
    expect(() => readProfile(bad), bad).toThrow();
  expect(() => readProfile('{"warn_share":0.9,"error_share":0.9}')).toThrow('more than 1 together');
  expect(() => readProfile('{"reject_percent":50,"timeout_percent":51}')).toThrow(
    'fail_percent, rollback_percent, reject_percent, download_fail_percent, no_space_percent, verify_fail_percent and timeout_percent are more than 100 together',
  );
  expect(() => readProfile('{"offline_hours_min":80}')).toThrow('offline_hours_min is more than offline_hours_max');
  expect(() => readProfile('{"slow_disk_factor":0.5}')).toThrow('slow_disk_factor takes a number from 1 to 1000');
  expect(() => readProfile('{"bad_release":2.1}')).toThrow('bad_release takes the tag of a release, in quotes');
  expect(readProfile('{"bad_release":"nav-2.1.0"}')).toMatchObject({ bad_release_percent: 100 });
});

test('a seed always gives the same numbers, and another one others', () => {
  const take = (seed: string) => Array.from({ length: 5 }, seeded(seed));
  expect(take('1/7')).toEqual(take('1/7'));
  expect(take('1/7')).not.toEqual(take('1/8'));
  expect(take('1/7').every((number) => number >= 0 && number < 1)).toBe(true);
});

test('a spool that is full loses records and tells of them by a gap, and its numbers have no hole', () => {
  const spool = memorySpool('s');
  const line = (seq: number) => ({ seq, message: 'x' });
  for (let round = 0; round < 10; round += 1) spool.write(2, line);
  expect(spool.dropped).toBe(4);
  expect(spool.unacknowledged.map(({ from_seq: from, to_seq: to }) => [from, to]).at(-1)).toEqual([15, 16]);
  expect(spool.acknowledge({ type: 'logs_ack', spool: 'other', seq: 99 })).toBe(0);
  expect(spool.acknowledge({ type: 'logs_ack', spool: 's', seq: 15 })).toBe(14);
  expect(spool.acknowledge({ type: 'logs_ack', spool: 's', seq: 16 })).toBe(2);
  const [frame] = spool.write(1, line);
  expect(frame?.records).toEqual([
    expect.objectContaining({ seq: 17, type: 'gap', dropped: 4, reason: 'quota' }),
    { seq: 18, message: 'x' },
  ]);
  expect(spool.write(1_200, line).map(({ records }) => records.length)).toEqual([500, 500, 200]);
});

test('the wheel runs each thing at its own pace, and makes up for a pause', async () => {
  const wheel = startTimerWheel();
  const runs = { fast: 0, slow: 0, once: 0 };
  const seen: (typeof runs)[] = []; // at each run of the slow one, as all of them run late together
  const task = (name: keyof typeof runs, ms?: number) => ({
    run() {
      runs[name] += 1;
      if (name === 'slow') seen.push({ ...runs });
      return ms;
    },
  });
  wheel.add(task('fast', 50), 0);
  wheel.add(task('slow', 500), 500);
  wheel.add(task('once'), 100);
  try {
    const until = performance.now() + 300;
    while (performance.now() < until); // the process is busy with something else
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(2);
    expect(seen[1]?.once).toBe(1);
    expect(seen[1]?.fast).toBeGreaterThanOrEqual(18);
    expect(seen[1]?.fast).toBeLessThanOrEqual(21);
  } finally {
    wheel.stop();
  }
});

test('robots play orders: each once and to an end of its own, over lost links, with the proof that the payload asks for', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  const enrolled = server.answer;
  server.answer = (request, response) => {
    if (request.method === 'GET') return enrolled(request, response);
    const data = { robot_id: 'r', robot_token: 't', robot_name: 'n', org_id: 'o', site_id: 's', fleet_id: 'f' };
    return void response.writeHead(201).end(JSON.stringify({ data }));
  };
  const configs = Array.from({ length: 5 }, (_, n) => configOrder([{ key: 'a', value: `${n}.0` }]));
  const fetched = Array.from({ length: 5 }, () => {
    const { payload = '', ...order } = releaseOrder('container_image', 'x');
    server.payloads.set(order.digest, payload);
    return order;
  });
  const cancelled = configOrder([{ key: 'a', value: '2' }], { cancel: true });
  const many = Array.from({ length: 50 }, (_, n) => releaseOrder(`kind-${n}`, String(n)));
  server.orders = [...configs, ...fetched, cancelled, ...many];
  server.acknowledgesReports = false;
  const profile = { order_seconds: 0.3, fail_percent: 20, rollback_percent: 20, heartbeat_seconds: 1 };
  const running = simulate(home, server, '--count', '1', '--profile', await profileFile(home, profile));
  await server.until(() => server.reports.length > 20);
  server.links[0]?.socket.terminate();
  server.acknowledgesReports = true;
  await server.until(() => server.orders.length === 0);
  running.kill('SIGINT');
  const totals = totalsOf(await running.ended);
  const applied = async (orders: readonly Order[]) => {
    const ends = await Promise.all(orders.map((order) => server.endOf(order)));
    return ends.flatMap(({ status, digest }, n) => (status === 'applied' ? [[orders[n], digest] as const] : []));
  };
  const [proven, released] = [await applied(configs), await applied(fetched)];
  expect(Math.min(proven.length, released.length)).toBeGreaterThan(0);
  expect(proven.filter(([order, digest]) => digest !== order?.digest)).toEqual([]);
  expect(released.filter(([, digest]) => digest !== sha256('x'))).toEqual([]);
  expect(await server.endOf(cancelled)).toMatchObject({ status: 'cancelled' });
  const ends = await Promise.all(many.map((order) => server.endOf(order)));
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['applied', 'failed', 'rolled_back']));
  // What fails says why, to the service and in the log of the robot, which keeps few lines at once.
  const bad = ends.filter(({ status }) => status !== 'applied');
  for (const { status, message } of bad) expect([status, message]).toEqual([status, expect.stringMatching(/ /)]);
  const logged = server.messages('agent').join('\n');
  expect(
    bad.some(({ order_id: id, status, message = '' }) => new RegExp(`${id}.*: ${status}, .*${message}`).test(logged)),
  ).toBe(true);
  const { orders_applied: a, orders_failed: f, orders_rolled_back: r, orders_cancelled: c } = totals;
  expect(totals).toMatchObject({ orders_begun: 61, orders_cancelled: 1 });
  expect([a, f, r, c].reduce((sum = 0, number = 0) => sum + number)).toBe(61);
  expect(server.invalid).toEqual([]);
});
