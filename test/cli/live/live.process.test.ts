import { expect, test } from 'vitest';
import { listen, startHome, type Listener } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';

const escape = '\u001b';
const robotId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';
const fleetId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31';
const siteId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21';

const robot = {
  id: robotId,
  name: 'amr-007',
  org_id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01',
  site_id: siteId,
  fleet_id: fleetId,
  online: true,
  last_seen_at: '2026-11-21T09:00:01.000Z',
  labels: {},
  created_at: '2026-11-21T08:00:00.000Z',
};
const snapshot = {
  ts: '2026-11-21T09:00:00.000Z',
  uptime_s: 90_061,
  cpu: { cores: 4, percent: 12.5, load: [0.42, 0.4, 0.38] },
  memory: { total_bytes: 8 * 1024 ** 3, available_bytes: 6 * 1024 ** 3 },
  disk: [{ path: '/', total_bytes: 100, free_bytes: 25 }],
  battery: { percent: 81, status: 'Discharging' },
};
const record = (seq: number, more: object = {}) => ({
  seq,
  robot_id: robotId,
  ts: `2026-11-21T09:00:0${seq % 10}.000000Z`,
  received_at: '2026-11-21T09:00:09.000Z',
  level: 'info',
  source: 'journal',
  message: `line ${seq}`,
  ...more,
});

/** A server that answers each path of the API with what stands here, and a list of robots with the one above. */
async function serving(replies: Record<string, object | ((query: URLSearchParams) => object)>) {
  const known: typeof replies = {
    '/api/robots': { items: [robot] },
    '/api/fleets': { items: [{ id: fleetId, name: 'pickers', site_id: siteId, created_at: robot.created_at }] },
    '/api/sites': { items: [{ id: siteId, name: 'Osaka', created_at: robot.created_at }] },
    [`/api/robots/${robotId}`]: { data: robot },
    ...replies,
  };
  const server = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    const reply = known[pathname];
    response.statusCode = reply ? 200 : 404;
    const missing = { error: { code: 'not_found', message: 'robot not found' } };
    response.end(JSON.stringify(typeof reply === 'function' ? reply(searchParams) : (reply ?? missing)));
  });
  return server;
}

const homeOf = (server: Listener) => startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });

const queriesOf = (server: Listener, path: string) =>
  server.requests
    .filter((line) => line.startsWith(`GET ${path}?`))
    .map((line) => Object.fromEntries(new URL(line.slice(4), server.url).searchParams));

const health = { data: { robot_id: robotId, online: true, last_seen_at: robot.last_seen_at, snapshot } };

test('inspect prints a robot and its health in one, by its name, and with --json the body of the health alone', async () => {
  await using server = await serving({ [`/api/robots/${robotId}/health`]: health });
  await using home = await homeOf(server);
  const table = await home.cli(['robots', 'inspect', 'amr-007', '-o', 'table']);
  expect(table).toMatchObject({ code: 0, stderr: '' });
  for (const line of [
    /^ID {2,}0198c5a2-/m,
    /^STATUS {2,}online$/m,
    /^FLEET {2,}pickers$/m,
    /^SITE {2,}Osaka$/m,
    /^UPTIME {2,}1d 1h$/m,
    /^CPU {2,}13% · 4 cores · load 0\.42 0\.40 0\.38$/m,
    /^MEMORY {2,}25% of 8\.0 GiB$/m,
    /^DISK {2,}\/ 75% of 100 B$/m,
    /^BATTERY {2,}81% · Discharging$/m,
  ])
    expect(table.stdout).toMatch(line);
  // What the robot does not measure has no line.
  expect(table.stdout).not.toMatch(/TEMPERATURE|SPOOL|undefined|NaN/);
  const raw = await home.cli(['robots', 'inspect', robotId, '--json']);
  expect(raw.stdout).toBe(`${JSON.stringify(health)}\n`);
  expect((await home.cli(['robots', 'inspect', robotId, '--fields', 'name,cpu'])).stdout).toBe(
    `amr-007\t${JSON.stringify(snapshot.cpu)}\n`,
  );
});

test.each([
  [-12, '-12 ms'],
  [9_999, '+9999 ms'],
  [-1_795_311_097_397, '20779d 1h behind'],
  [90_000, '1m 30s ahead'],
])('a clock that is %d ms off is told as people say it', async (offsetMs, shown) => {
  const said = { data: { ...health.data, snapshot: { clock_offset_ms: offsetMs } } };
  await using server = await serving({ [`/api/robots/${robotId}/health`]: said });
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['robots', 'inspect', robotId, '-o', 'table']);
  expect(/^CLOCK {2,}(.*)$/m.exec(stdout)?.[1]).toBe(shown);
});

test('a snapshot that names itself like the service does not pass for it', async () => {
  const lie = { ...snapshot, online: true, name: 'other', robot_id: 'x' };
  const said = { data: { robot_id: robotId, online: false, snapshot: lie } };
  await using server = await serving({ [`/api/robots/${robotId}/health`]: said });
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['robots', 'inspect', robotId, '--fields', 'robot_id,name,online']);
  expect(stdout).toBe(`${robotId}\tamr-007\tfalse\n`);
});

test('an unknown robot ends inspect, logs and timeline with 5', async () => {
  const nobody = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c99';
  await using server = await serving({});
  await using home = await homeOf(server);
  for (const command of ['inspect', 'logs', 'timeline'])
    expect((await home.cli(['robots', command, nobody])).code, command).toBe(5);
  expect((await home.cli(['fleets', 'logs', nobody])).code).toBe(5);
});

test('logs are lines of time, level, source and message, each record one line whatever the robot wrote into it', async () => {
  const evil = `${escape}]52;c;eA==\u0007 \u009b31m\r\n2026-11-21T09:00:00Z  info  journal  forged`;
  const items = [record(1), record(2, { level: 'error', ts: undefined, message: evil })];
  await using server = await serving({ [`/api/robots/${robotId}/logs`]: { items } });
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['robots', 'logs', 'amr-007', '-o', 'table']);
  expect(stdout).not.toContain(escape);
  expect(stdout.split('\n')).toEqual([
    'TIME                         LEVEL  SOURCE   MESSAGE',
    '2026-11-21T09:00:01.000000Z  info   journal  line 1',
    expect.stringMatching(/^2026-11-21T09:00:09\.000Z {5}error {2}journal {2}␛\]52;.*forged$/),
    '',
  ]);
  const tsv = (await home.cli(['robots', 'logs', robotId])).stdout.split('\n');
  expect(tsv[0]?.split('\t').slice(0, 6)).toEqual([
    '2026-11-21T09:00:01.000000Z',
    'info',
    'journal',
    'line 1',
    '1',
    '2026-11-21T09:00:09.000Z',
  ]);
  expect(tsv).toHaveLength(3);
});

testWith('script')('on a terminal levels have colours, and long messages are not cut', async () => {
  const message = 'x'.repeat(200);
  const items = [record(1, { level: 'warn', message }), record(2, { level: 'fatal' })];
  await using server = await serving({ [`/api/robots/${robotId}/logs`]: { items } });
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['robots', 'logs', robotId], { columns: 60, env: { CLI_PAGER: '' } });
  expect(stdout).toContain(`${escape}[33m${message}`);
  expect(stdout).toContain(`${escape}[31mline 2`);
});

test('filters of logs go to the service, and spans become instants', async () => {
  await using server = await serving({ [`/api/robots/${robotId}/logs`]: { items: [] } });
  await using home = await homeOf(server);
  const before = Date.now();
  const flags = ['--level', 'warn', '--source', 'journal', '--grep', 'e-stop', '--since', '1h30m', '--tail', '50'];
  expect((await home.cli(['robots', 'logs', robotId, ...flags, '--until', '2126-11-21T09:00:00+09:00'])).code).toBe(0);
  const [query] = queriesOf(server, `/api/robots/${robotId}/logs`);
  expect(query).toMatchObject({
    level: 'warn',
    source: 'journal',
    q: 'e-stop',
    limit: '50',
    until: '2126-11-21T09:00:00+09:00',
  });
  const since = Date.parse(query?.['since'] ?? '');
  expect(since).toBeGreaterThanOrEqual(before - 5_400_000);
  expect(since).toBeLessThanOrEqual(Date.now() - 5_400_000);
});

test('what is no instant, no level and no span is refused before anything is sent', async () => {
  await using server = await serving({});
  await using home = await homeOf(server);
  for (const flags of [
    ['--since', 'tomorrow'],
    ['--since', '15 m'],
    ['--until', '2026-11-31'],
    ['--since', '2026-13-40T00:00:00Z'],
    ['--since', '999999999w'],
    ['--level', 'loud'],
    ['--tail', '10001'],
    ['--tail', '1001', '--json'],
    ['--follow', '--until', '1h'],
  ])
    expect((await home.cli(['robots', 'logs', robotId, ...flags])).code, flags.join(' ')).toBe(2);
  expect(server.requests).toEqual([]);
});

test('a time that begins after its end is refused with one sentence, and nothing is sent', async () => {
  await using server = await serving({});
  await using home = await homeOf(server);
  for (const times of [
    ['--since', '1h', '--until', '2h'],
    ['--since', '2026-11-21T10:00:00+01:00', '--until', '2026-11-21T08:59:59Z'],
  ]) {
    for (const words of [
      ['robots', 'logs', robotId],
      ['fleets', 'logs', fleetId],
    ]) {
      const { code, stderr, stdout } = await home.cli([...words, ...times]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: --since is after --until: .+ is later than .+\n {2}Swap the two values\n$/);
    }
  }
  expect(server.requests).toEqual([]);
  const query = ['--since', '2026-11-21T10:00:00+01:00', '--until', '2026-11-21T09:00:00Z'];
  await home.cli(['robots', 'logs', robotId, ...query]);
  expect(queriesOf(server, `/api/robots/${robotId}/logs`)).toHaveLength(1);
});

test('an answer that the service stopped early is read on until there are as many records as were wanted', async () => {
  const pages: Record<string, object> = {
    '': { items: [record(5)], next_cursor: 'b' },
    b: { items: [], next_cursor: 'c' },
    c: { items: [record(3), record(4)], next_cursor: 'd' },
  };
  await using server = await serving({
    [`/api/robots/${robotId}/logs`]: (query) => pages[query.get('cursor') ?? ''] ?? {},
  });
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['robots', 'logs', robotId, '--tail', '3', '--grep', 'x', '--fields', 'seq']);
  expect(stdout).toBe('3\n4\n5\n');
  expect(queriesOf(server, `/api/robots/${robotId}/logs`)).toEqual([
    { limit: '3', q: 'x' },
    { limit: '2', q: 'x', cursor: 'b' },
    { limit: '2', q: 'x', cursor: 'c' },
  ]);
  // As it came: one reply, with its cursor.
  const raw = await home.cli(['robots', 'logs', robotId, '--json']);
  expect(raw.stdout).toBe(`${JSON.stringify(pages[''])}\n`);
});

test('records after a number are read forwards, and a cursor goes on from an answer', async () => {
  await using server = await serving({
    [`/api/robots/${robotId}/logs`]: (query) =>
      query.has('cursor') ? { items: [record(8)] } : { items: [record(6), record(7)], next_cursor: 'on' },
  });
  await using home = await homeOf(server);
  const ask = async (...flags: string[]) =>
    (await home.cli(['robots', 'logs', robotId, '--fields', 'seq', ...flags])).stdout;
  expect(await ask('--after', '5')).toBe('6\n7\n8\n');
  expect(await ask('--cursor', 'on')).toBe('8\n');
});

test('logs of a fleet name the robots for people and give their ids to scripts', async () => {
  const items = [record(1), record(2, { robot_id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c62' })];
  await using server = await serving({ [`/api/fleets/${fleetId}/logs`]: { items } });
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['fleets', 'logs', 'pickers', '-o', 'table']);
  expect(stdout.split('\n')[1]).toMatch(/^2026-11-21T09:00:01\.000000Z {2}amr-007 +info {3}journal {2}line 1$/);
  expect(stdout.split('\n')[2]).toContain('0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c62');
  expect((await home.cli(['fleets', 'logs', fleetId, '--fields', 'robot_id,message'])).stdout).toContain(
    `${robotId}\tline 1\n`,
  );
});

test('the timeline is a list by number, filtered by kind, and can be watched from number to number', async () => {
  const entry = (seq: number, kind: string) => ({ seq, at: robot.created_at, kind, message: `${kind} it` });
  const entries = [entry(1, 'enrolled'), entry(2, 'connected')];
  await using server = await serving({
    [`/api/robots/${robotId}/timeline`]: (query) => ({
      items: entries.filter(({ seq }) => seq > Number(query.get('after') ?? 0)),
    }),
  });
  await using home = await homeOf(server);
  const list = await home.cli(['robots', 'timeline', 'amr-007', '--kind', 'connected', '--limit', '5']);
  expect(list.stdout).toContain(`2\t${robot.created_at}\tconnected\tconnected it\t\n`);
  expect(queriesOf(server, `/api/robots/${robotId}/timeline`)[0]).toEqual({ kind: 'connected', limit: '5' });
  const watching = home.start(['robots', 'timeline', 'amr-007', '--watch', '--fields', 'kind,seq']);
  await watching.sees('connected');
  entries.push(entry(3, 'disconnected'));
  await watching.sees('{"kind":"disconnected","seq":3}');
  watching.kill('SIGINT');
  expect((await watching.ended).stdout.trim().split('\n')).toHaveLength(3);
});

test('the list of robots tells who is online, when each was seen, and which have two agents', async () => {
  const fought = { ...robot, name: 'amr-008', duplicate_agent_at: '2026-11-21T09:00:01.000Z' };
  const never = { ...robot, name: 'amr-009', online: false, last_seen_at: undefined };
  await using server = await serving({ '/api/robots': { items: [robot, fought, never] } });
  await using home = await homeOf(server);
  const { stdout } = await home.cli(['robots', 'list', '-o', 'table']);
  const [header, ...rows] = stdout.split('\n');
  expect(header).toMatch(/ENROLLED +SEEN$/);
  expect(rows[0]).toMatch(/^amr-007 +online +pickers .* ago$/);
  expect(rows[1]).toMatch(/^amr-008 +online, two agents /);
  expect(rows[2]).toMatch(/^amr-009 +never seen .* ago$/);
  expect((await home.cli(['robots', 'list', '--fields', 'name,last_seen_at'])).stdout.split('\n')[0]).toBe(
    `amr-007\t${robot.last_seen_at}`,
  );
});
