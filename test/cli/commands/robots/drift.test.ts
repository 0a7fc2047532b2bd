import { expect } from 'vitest';
import { listen, startHome } from '../../../support/cli.ts';
import { testWith } from '../../../support/tools.ts';

const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';
const release = { release_id: 'r-7', tag: 'maps-7', deployment_id: 'd-1', at: '2026-11-22T03:04:05.000Z' };
const digest = 'a'.repeat(64);

/** What `robots inspect` and `robots list` say of a robot with this drift on a terminal, and the TSV of the list. */
async function shown(drift: object | undefined) {
  const reported = { releases: { file: { ...release, ...(drift && { drift }) } }, configs: {} };
  const robot = { id, name: 'amr-7', org_id: 'o', site_id: 's', fleet_id: 'f', online: true, labels: {}, reported };
  await using server = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://service');
    if (pathname === '/api/robots') response.end(JSON.stringify({ items: [robot] }));
    else if (pathname.endsWith('/health')) response.end(JSON.stringify({ data: { robot_id: id, online: true } }));
    else response.end(JSON.stringify(pathname.startsWith('/api/robots/') ? { data: robot } : { items: [] }));
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const inspected = await home.cli(['robots', 'inspect', 'amr-7'], { columns: 200 });
  const listed = await home.cli(['robots', 'list'], { columns: 200 });
  const piped = await home.cli(['robots', 'list', '--fields', 'name,reported']);
  return { inspected: inspected.stdout, listed: listed.stdout, piped: piped.stdout, reported };
}

const red = (text: string) => `\u001b[31m${text}\u001b[39m`;

testWith('script')('a robot that runs something else than it proved is shown so in red', async () => {
  const since = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const other = await shown({ since, running_sha256: digest, running_release_id: 'r-6', running_tag: 'maps-6' });
  expect(other.inspected).toContain(red('maps-7 (file), but maps-6 runs since 2h ago'));
  expect(other.listed).toContain(red('maps-7, drifted'));
  expect(other.piped).toBe(`amr-7\t${JSON.stringify(other.reported)}\n`);
  const unknown = await shown({ since, running_sha256: digest });
  expect(unknown.inspected).toContain(red(`maps-7 (file), but something else runs since 2h ago, SHA-256 ${digest}`));
  expect((await shown({ since })).inspected).toContain(red('maps-7 (file), but nothing runs since 2h ago'));
  const well = await shown(undefined);
  expect(well.inspected).toMatch(/maps-7 \(file\)\r\n/);
  expect(well.listed).not.toContain('\u001b[31m');
});
