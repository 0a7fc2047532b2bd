import { expect, test } from 'vitest';
import { signedInHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { testWith } from '../../support/tools.ts';
import { startWorld } from '../../support/world.ts';

const artifact = { artifact_sha256: 'a'.repeat(64), artifact_size: 5 };

test('one object in a pipe is key-value lines in a stable order; with --fields or -o tsv it is one line', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const robot = await factories(world).robot('amr-7');
  const path = `/api/robots/${robot.robot_id}`;
  await world.call('PATCH', path, { body: { labels: { shift: 'night\tlate', line: '2' } } });
  for (const command of ['show', 'inspect']) {
    const { stdout } = await home.cli(['robots', command, 'amr-7']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['name\tamr-7', 'online\tfalse', 'labels.line\t2', 'labels.shift\tnight\u2409late']),
    );
    expect(lines.indexOf('labels.shift\tnight\u2409late')).toBe(lines.indexOf('labels.line\t2') + 1);
    expect(lines).toContainEqual(expect.stringMatching(/^fleet_name\t./));
    expect((await home.cli(['robots', command, 'amr-7'])).stdout).toBe(stdout);
    expect((await home.cli(['robots', command, 'amr-7', '-o', 'kv'])).stdout).toBe(stdout);
  }
  expect((await home.cli(['robots', 'show', 'amr-7', '--fields', 'name,online'])).stdout).toBe('amr-7\tfalse\n');
  expect((await home.cli(['robots', 'show', 'amr-7', '-o', 'tsv'])).stdout).toMatch(/^[0-9a-f-]{36}\tamr-7\tfalse\t/);
});

test('lines of a list have the names behind the ids last; --fields selects them by name', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const robot = await factories(world).robot('amr-7');
  const [row = ''] = (await home.cli(['robots', 'list'])).stdout.split('\n');
  const cells = row.split('\t');
  const names = async (list: string, id: string) =>
    (await home.cli([list, 'list', '--fields', 'id,name'])).stdout
      .split('\n')
      .find((line) => line.startsWith(id))
      ?.split('\t')[1];
  expect(cells[0]).toBe(robot.robot_id);
  expect(cells.slice(-2)).toEqual([await names('fleets', cells[3] ?? ''), await names('sites', cells[4] ?? '')]);
  const picked = await home.cli(['robots', 'list', '--fields', 'name,fleet_name', '-o', 'jsonl']);
  expect(JSON.parse(picked.stdout)).toEqual({ name: 'amr-7', fleet_name: cells.at(-2) });
});

test('a long value is whole in lines', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const value = 'x'.repeat(20_000);
  await factories(world).config({ key: 'map', value });
  const config = async (...flags: string[]) => (await home.cli(['configs', 'list', ...flags])).stdout;
  expect(await config('--fields', 'value')).toBe(`${value}\n`);
  expect(await config('-o', 'kv')).toContain(`\nvalue\t${value}\n`);
});

testWith('script')(
  'a person sees lists by name and deployments newest first; scripts keep the order of the API',
  async () => {
    await using world = await startWorld();
    await using home = await signedInHome(world);
    const make = factories(world);
    const key = (await make.key()) as { value: string };
    for (const name of ['amr-10', 'amr-9', 'AMR-1']) await make.robot(name, key);
    const shown = async (...args: string[]) => {
      const { stdout } = await home.cli([...args, '--no-color'], { columns: 120 });
      return stdout.trimEnd().split('\r\n');
    };
    expect((await shown('robots', 'list', '--fields', 'name')).slice(1, 4)).toEqual(['AMR-1', 'amr-9', 'amr-10']);
    expect((await shown('robots', 'list', '--fields', 'name', '--limit', '2')).slice(1, 3)).toEqual([
      'amr-10',
      'amr-9',
    ]);
    expect((await home.cli(['robots', 'list', '-o', 'name'])).stdout).toBe('amr-10\namr-9\nAMR-1\n');
    for (const tag of ['r-1', 'r-2', 'r-3']) {
      await world.call('POST', '/api/releases', { body: { ...artifact, tag } });
      await home.cli(['deploy', tag, '--robot', 'amr-9', '--scheduled-at', 'in 3h']);
    }
    const fields = ['deployments', 'list', '--fields', 'release_name'];
    expect((await shown(...fields)).slice(1, 4)).toEqual(['r-3', 'r-2', 'r-1']);
    expect((await shown(...fields, '--order', 'asc')).slice(1, 4)).toEqual(['r-1', 'r-2', 'r-3']);
    expect((await home.cli(fields)).stdout).toBe('r-1\nr-2\nr-3\n');
    expect((await home.cli([...fields, '--order', 'desc', '--page-size', '2'])).stdout).toBe('r-3\nr-2\nr-1\n');
    expect((await shown('deployments', 'list', '--fields', 'scheduled_at'))[1]).toMatch(
      /^in [23]h, \d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d$/,
    );
    expect(await home.cli(['deployments', 'list', '--status', 'nonsense'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--status takes scheduled, pending, in_progress') as string,
    });
  },
);

test('deployments of either kind are listed newest first on request, page by page and with a tag', async () => {
  await using world = await startWorld();
  const robot = await factories(world).robot('amr-7');
  const target = { target_kind: 'robot', target_id: robot.robot_id };
  const release = await world.call('POST', '/api/releases', { body: { ...artifact, tag: 'r-1' } });
  const config = await world.call('POST', '/api/configs', { body: { key: 'k', value: 1 } });
  const of = (reply: { text: string }) => (JSON.parse(reply.text) as { data: { id: string } }).data.id;
  const bodies = {
    '/api/deployments': { release_id: of(release), ...target },
    '/api/configs/deployments': { config_id: of(config), ...target },
  };
  for (const [path, body] of Object.entries(bodies)) {
    for (let count = 0; count < 3; count += 1)
      await world.call('POST', path, { body, headers: { 'Idempotency-Key': `k-${count}` } });
    const list = async (query: string) => {
      const reply = await world.call('GET', `${path}?${query}`);
      return JSON.parse(reply.text) as { items: { id: string }[]; next_cursor?: string };
    };
    const oldestFirst = (await list('order=asc')).items.map(({ id }) => id);
    const newestFirst = [...oldestFirst].reverse();
    expect((await list('')).items.map(({ id }) => id)).toEqual(oldestFirst);
    expect((await list('order=desc')).items.map(({ id }) => id)).toEqual(newestFirst);
    const first = await list('order=desc&limit=2');
    const second = await list(`order=desc&limit=2&cursor=${first.next_cursor ?? ''}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(newestFirst);
    expect(second.next_cursor).toBeUndefined();
    expect((await world.call('GET', `${path}?order=newest`)).status).toBe(400);
  }
});
