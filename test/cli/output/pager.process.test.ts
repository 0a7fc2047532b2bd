import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, startHome, type Home, type Listener } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';

const listOf = (count: number): Promise<Listener> => {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `id-${index}`,
    name: `site-${index}`,
    created_at: '2026-11-21T09:00:00.000Z',
  }));
  return listen((_, response) => response.end(JSON.stringify({ items }, undefined, 1)));
};
const homeOf = (server: Listener) => startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });

/** A pager that keeps what it is given, and the environment it runs in. */
async function recordingPager(home: Home) {
  const [script, record] = [join(home.path, 'my pager.sh'), join(home.path, 'record')];
  await writeFile(script, `printf '%s %s\\n' "$LESS" "$1" > '${record}'; cat >> '${record}'; echo PAGED\n`);
  return { command: `sh "${script}" 'two words'`, recorded: () => readFile(record, 'utf8').catch(() => undefined) };
}

testWith('script')('a list longer than the screen goes through the pager, whole and with its colours', async () => {
  await using server = await listOf(100);
  await using home = await homeOf(server);
  const { command, recorded } = await recordingPager(home);
  const { code, stdout } = await home.cli(['sites', 'list'], { columns: 80, env: { PAGER: command } });
  expect(code).toBe(0);
  expect(stdout).toBe('PAGED\r\n');
  const lines = (await recorded())?.trimEnd().split('\n');
  expect(lines?.[0]).toBe('FIRX two words');
  expect(lines?.[1]).toContain('\u001b[');
  expect(lines).toHaveLength(102);
});

testWith('script')('CLI_PAGER comes before PAGER, and its name alone is enough', async () => {
  await using server = await listOf(100);
  await using home = await homeOf(server);
  const { command, recorded } = await recordingPager(home);
  await home.cli(['sites', 'list'], { columns: 80, env: { CLI_PAGER: command, PAGER: 'false' } });
  expect(await recorded()).toContain('site-99');
});

testWith('script').each([
  ['a list that fits the screen', 20, [], {}],
  ['--no-pager', 100, ['--no-pager'], {}],
  ['--json', 100, ['--json'], {}],
  ['an empty CLI_PAGER', 100, [], { CLI_PAGER: '' }],
  ['cat', 100, [], { CLI_PAGER: 'cat' }],
  ['TERM=dumb', 100, [], { TERM: 'dumb' }],
  ['a pager that is not there', 100, [], { CLI_PAGER: '/nonexistent/pager -x' }],
])('%s is printed plainly', async (_, count, flags, env) => {
  await using server = await listOf(count);
  await using home = await homeOf(server);
  const { command, recorded } = await recordingPager(home);
  const { code, stdout } = await home.cli(['sites', 'list', ...flags], {
    columns: 80,
    env: { PAGER: command, ...env },
  });
  expect(code).toBe(0);
  expect(await recorded()).toBeUndefined();
  expect(stdout.match(/site-\d+/g)).toHaveLength(count);
});

testWith('script')('a pager that the system refuses to start leaves the list to be printed plainly', async () => {
  await using server = await listOf(100);
  await using home = await homeOf(server);
  const busy = join(home.path, 'pager');
  await writeFile(busy, '#!/bin/sh\ncat\n', { mode: 0o700 });
  // A file that is open for writing is not run.
  const writer = await open(busy, 'r+');
  const { code, stdout } = await home.cli(['sites', 'list'], { columns: 80, env: { CLI_PAGER: busy } });
  await writer.close();
  expect(code).toBe(0);
  expect(stdout.match(/site-\d+/g)).toHaveLength(100);
});

test('a pipe never sees a pager', async () => {
  await using server = await listOf(100);
  await using home = await homeOf(server);
  const { command, recorded } = await recordingPager(home);
  const { stdout } = await home.cli(['sites', 'list', '-o', 'table'], { env: { CLI_PAGER: command } });
  expect(stdout).toContain('site-99');
  expect(await recorded()).toBeUndefined();
});

testWith('script', 'less')(
  'leaving the pager early ends the command with 0, and nothing more is asked for',
  async () => {
    const item = { id: 'id', name: 'x', created_at: '2026-11-21T09:00:00.000Z' };
    const page = JSON.stringify({ items: Array.from({ length: 50 }, () => item), next_cursor: 'more' });
    // The second page never comes: the reader does not wait for it.
    await using server = await listen((request, response) => {
      if (!request.url?.includes('cursor')) response.end(page);
    });
    await using home = await homeOf(server);
    const running = home.start(['sites', 'list', '--page-size', '50'], { columns: 80, env: { LESS: '-X' } });
    await running.sees(':');
    running.type('q');
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(2);
  },
);

testWith('script')('an error behind the pager follows what was read, and is the exit code', async () => {
  const item = { id: 'id', name: 'x', created_at: '2026-11-21T09:00:00.000Z' };
  const page = JSON.stringify({ items: Array.from({ length: 50 }, () => item), next_cursor: 'more' });
  await using server = await listen((request, response) => {
    const isFirst = request.url?.includes('cursor') !== true;
    if (!isFirst) response.statusCode = 401;
    response.end(isFirst ? page : '{"error":{"code":"unauthorized","message":"revoked"}}');
  });
  await using home = await homeOf(server);
  const { command, recorded } = await recordingPager(home);
  const flags = ['--page-size', '50', '--no-color'];
  const { code, stdout } = await home.cli(['sites', 'list', ...flags], { columns: 80, env: { PAGER: command } });
  expect(code).toBe(4);
  expect(stdout).toMatch(/^PAGED\r\nError: Token rejected: revoked\r\n/);
  expect((await recorded())?.trimEnd().split('\n')).toHaveLength(52);
});

testWith('script', 'less')('Ctrl-C in the pager is the pager’s', async () => {
  await using server = await listOf(100);
  await using home = await homeOf(server);
  const running = home.start(['sites', 'list'], { columns: 80 });
  await running.sees('site-10');
  running.type('\u0003');
  // The terminal drops what is typed together with Ctrl-C.
  const atEnd = () => {
    running.type('G');
    return running.text();
  };
  await expect.poll(atEnd).toContain('site-99');
  running.type('q');
  expect(await running.ended).toMatchObject({ code: 0 });
});
