import { runBriefly } from '../../../support/agent-process.ts';
import { expect, test } from 'vitest';
import { listen, signedInHome, startHome, type Running } from '../../../support/cli.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

const escape = '\u001b';
const site = (id: string, name: string) => ({ id, name, created_at: '2026-11-21T09:00:00.000Z' });

/** A server whose list can be changed, or taken away by a status. */
async function changingList(...items: object[]) {
  const state = { items, status: 200 };
  const server = await listen((_, response) => {
    response.statusCode = state.status;
    const refusal = { error: { code: state.status === 401 ? 'unauthorized' : 'http_error', message: 'not now' } };
    response.end(JSON.stringify(state.status === 200 ? { items: state.items } : refusal));
  });
  return Object.assign(server, { state });
}

const linesOf = (running: Running) =>
  running
    .text()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

async function interrupted(running: Running): Promise<{ code: number; afterMs: number }> {
  const at = performance.now();
  running.kill('SIGINT');
  const { code } = await running.ended;
  return { code, afterMs: performance.now() - at };
}

test('in a pipe --watch gives every row once, then those that change, as lines of JSON', async () => {
  await using server = await changingList(site('1', 'Osaka'), site('2', 'Kobe'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--watch', '--fields', 'id,name']);
  await running.sees('Kobe');
  server.state.items = [site('1', 'Osaka'), site('2', 'Kyoto')];
  await running.sees('Kyoto');
  server.state.items = [site('2', 'Kyoto'), site('3', 'Nara')];
  await running.sees('removed');
  expect(linesOf(running)).toEqual([
    { id: '1', name: 'Osaka' },
    { id: '2', name: 'Kobe' },
    { id: '2', name: 'Kyoto' },
    { id: '3', name: 'Nara' },
    { id: '1', removed: true },
  ]);
  const { code, afterMs } = await interrupted(running);
  expect(code).toBe(130);
  // It does not wait for the next question, two seconds later.
  expect(afterMs).toBeLessThan(1_900);
});

test('--watch --json gives the body where it differs from the one before', async () => {
  await using server = await changingList(site('1', 'Osaka'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--watch', '--json']);
  await expect.poll(() => server.requests.length).toBeGreaterThan(1);
  server.state.items = [site('1', 'Kobe')];
  await running.sees('Kobe');
  expect(linesOf(running)).toEqual([{ items: [site('1', 'Osaka')] }, { items: [site('1', 'Kobe')] }]);
  await interrupted(running);
});

test('robots, keys and the audit log of the real service can be watched', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const robots = home.start(['robots', 'list', '--watch']);
  const keys = home.start(['keys', 'list', '--watch']);
  const audit = home.start(['audit', 'list', '--watch', '--fields', 'operation,seq']);
  await audit.sees('createOrg');
  await world.api.POST('/api/sites', { body: { name: 'Osaka' } });
  const { stdout: site } = await home.cli(['sites', 'list', '--fields', 'id']);
  const fleet = await home.cli(['fleets', 'create', 'pickers', '--site', site.trim(), '--fields', 'id']);
  const key = await home.cli(['keys', 'new', '--site', site.trim(), '--fleet', fleet.stdout.trim(), '--label', 'dock']);
  await keys.sees('"label":"dock"');
  await runBriefly(home, ['--enrollment-key', key.stdout.trim(), '--name', 'amr-007']);
  await robots.sees('"name":"amr-007"');
  await audit.sees('enrollAgent');
  const numbers = (linesOf(audit) as { seq: number }[]).map(({ seq }) => seq);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  for (const running of [robots, keys, audit]) expect(await interrupted(running)).toMatchObject({ code: 130 });
});

test('what may pass is told once and tried again; a refusal ends it', async () => {
  await using server = await changingList(site('1', 'Osaka'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--watch', '-o', 'jsonl']);
  await running.sees('Osaka');
  server.state.status = 503;
  await running.sees('No response: not now. Retrying every 2 s.');
  const asked = server.requests.length;
  await expect.poll(() => server.requests.length).toBeGreaterThan(asked + 1);
  server.state.status = 200;
  await running.sees('The service responds again.');
  server.state.status = 401;
  const { code, stderr, stdout } = await running.ended;
  expect(code).toBe(4);
  expect(stderr.match(/No response/g)).toHaveLength(1);
  expect(stdout.match(/Osaka/g)).toHaveLength(1);
});

test('a first question without an answer ends it', async () => {
  await using server = await changingList();
  server.state.status = 503;
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  expect(await home.cli(['sites', 'list', '--watch'])).toMatchObject({ code: 1, stdout: '' });
});

testWith('script')('on a terminal only rows that changed are written, and it is restored at the end', async () => {
  await using server = await changingList(site('1', 'Osaka'), site('2', 'Kobe'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--watch', '--no-color'], { columns: 80 });
  await running.sees('Kobe');
  expect(running.text()).toContain(`${escape}[?1049h${escape}[?25l`);
  expect(running.text()).toMatch(/2 sites · \d\d:\d\d:\d\d · every 2 s · Ctrl-C ends/);
  const before = running.text().length;
  server.state.items = [site('1', 'Osaka'), site('2', 'Kyoto')];
  await running.sees('Kyoto');
  const frame = running.text().slice(before);
  expect(frame).not.toContain('Osaka');
  expect(frame).not.toContain(`${escape}[2J`);
  expect(frame).toContain(`${escape}[3;1H2   Kyoto`);
  running.type('\u0003');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(stdout.endsWith(`${escape}[?7h${escape}[?25h${escape}[?1049l`)).toBe(true);
});

testWith('script')('a refusal that ends it is shown on the restored terminal', async () => {
  await using server = await changingList(site('1', 'Osaka'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--watch', '--no-color'], { columns: 80 });
  await running.sees('Osaka');
  server.state.status = 401;
  const { code, stdout } = await running.ended;
  expect(code).toBe(4);
  const [, shown, ...more] = stdout.split(`${escape}[?1049l`);
  expect(shown).toMatch(/^Error: Token rejected: not now\r\n/);
  expect(more).toEqual([]);
});

testWith('script')('a list that is empty because of its filters says so', async () => {
  await using server = await changingList();
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['deployments', 'list', '--status', 'in_progress', '--watch', '--no-color'], {
    columns: 80,
  });
  await running.sees('No deployments match these filters.');
  running.type('\u0003');
  expect((await running.ended).code).toBe(130);
});

testWith('script')('a list longer than the screen says how much of it is not shown', async () => {
  await using server = await changingList(
    ...Array.from({ length: 100 }, (_, index) => site(`${index}`, `site-${index}`)),
  );
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--watch', '--no-color'], { columns: 80 });
  await running.sees('… 79 more');
  expect(running.text()).toContain('site-20');
  expect(running.text()).not.toContain('site-21');
  running.kill('SIGTERM');
  await running.ended;
});

testWith('script')('an answer that stays out is told on the terminal, and the last rows stay', async () => {
  await using server = await changingList(site('1', 'Osaka'));
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--watch'], { columns: 80 });
  await running.sees('Osaka');
  const before = running.text().length;
  server.state.status = 503;
  await running.sees('No response since');
  expect(running.text().slice(before)).not.toContain('Osaka');
  running.type('\u0003');
  expect(await running.ended).toMatchObject({ code: 130 });
});
