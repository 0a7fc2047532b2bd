import { expect, test } from 'vitest';
import { listen, signedInHome, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';
import { startWorld, type World } from '../../support/world.ts';

async function worldWithSites(...names: string[]): Promise<World> {
  const world = await startWorld();
  for (const name of names) await world.api.POST('/api/sites', { body: { name } });
  return world;
}

const names = ['a', 'b', 'c', 'd', 'e'];

test('--page-size asks page by page and gives the whole list, in every format', async () => {
  await using world = await worldWithSites(...names);
  await using home = await signedInHome(world);
  const print = async (...flags: string[]) => (await home.cli(['sites', 'list', '--page-size', '2', ...flags])).stdout;
  expect(await print('-o', 'name')).toBe('a\nb\nc\nd\ne\n');
  expect(JSON.parse(await print('-o', 'json'))).toEqual({
    items: names.map((name) => expect.objectContaining({ name })),
  });
  expect(await print('-o', 'table', '--fields', 'name')).toBe('NAME\na\nb\nc\nd\ne\n');
  expect(await print('-o', 'yaml', '--fields', 'name')).toContain('  - name: e\n');
});

test('--json gives the bodies of the pages, one a line', async () => {
  await using world = await worldWithSites(...names);
  await using home = await signedInHome(world);
  const { stdout } = await home.cli(['sites', 'list', '--page-size', '2', '--json']);
  const bodies = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { items: { name: string }[] });
  expect(bodies.map(({ items }) => items.map(({ name }) => name))).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

test('a page is printed before the next one is there', async () => {
  let answerSecond = (): void => undefined;
  const item = (name: string) => ({ id: name, name, created_at: '2026-11-21T09:00:00.000Z' });
  await using server = await listen((request, response) => {
    if (!request.url?.includes('cursor')) response.end(JSON.stringify({ items: [item('first')], next_cursor: 'x' }));
    else answerSecond = () => response.end(JSON.stringify({ items: [item('second')] }));
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const running = home.start(['sites', 'list', '--page-size', '1', '-o', 'name']);
  await running.sees('first');
  await expect.poll(() => server.requests).toEqual(['GET /api/sites?limit=1', 'GET /api/sites?limit=1&cursor=x']);
  expect(running.text()).toBe('first\n');
  answerSecond();
  expect(await running.ended).toMatchObject({ code: 0, stdout: 'first\nsecond\n' });
});

test('--limit is a number of items, over as many pages as it takes', async () => {
  await using world = await worldWithSites(...names);
  await using home = await signedInHome(world);
  const print = async (...flags: string[]) => (await home.cli(['sites', 'list', '-o', 'name', ...flags])).stdout;
  expect(await print('--limit', '3', '--page-size', '2')).toBe('a\nb\nc\n');
  expect(await print('--limit', '5000')).toBe('a\nb\nc\nd\ne\n');
  expect(await print('--limit', '4')).toBe('a\nb\nc\nd\n');
});

test('--cursor goes on after a page, to the end of the list', async () => {
  await using world = await worldWithSites(...names);
  await using home = await signedInHome(world);
  const { stdout } = await home.cli(['sites', 'list', '--limit', '2', '--json']);
  const { next_cursor: cursor } = JSON.parse(stdout) as { next_cursor: string };
  expect((await home.cli(['sites', 'list', '--cursor', cursor, '-o', 'name'])).stdout).toBe('c\nd\ne\n');
});

test('--no-paginate gives the first page and says on stderr that more exist', async () => {
  await using world = await worldWithSites(...names);
  await using home = await signedInHome(world);
  const part = await home.cli(['sites', 'list', '--no-paginate', '--page-size', '2', '-o', 'name']);
  expect(part).toMatchObject({ code: 0, stdout: 'a\nb\n' });
  expect(part.stderr).toMatch(/^More sites exist\. Next page: --cursor \S+\n$/);
  const whole = await home.cli(['sites', 'list', '--no-paginate', '-o', 'name']);
  expect(whole).toEqual({ code: 0, stdout: 'a\nb\nc\nd\ne\n', stderr: '' });
});

testWith('script')('the pages of a table stay in line below one header', async () => {
  const item = (name: string) => ({ id: 'id', name, created_at: new Date(Date.now() - 7_200_000).toISOString() });
  await using server = await listen((request, response) =>
    response.end(
      JSON.stringify(
        request.url?.includes('cursor') ? { items: [item('b')] } : { items: [item('a-long-name')], next_cursor: 'x' },
      ),
    ),
  );
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { stdout } = await home.cli(['sites', 'list', '--page-size', '1', '--no-color'], { columns: 80 });
  expect(stdout.split('\r\n')).toEqual([
    'ID  NAME         CREATED',
    'id  a-long-name  2h ago',
    'id  b            2h ago',
    '',
  ]);
});
