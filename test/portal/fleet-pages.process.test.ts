import { expect, test } from 'vitest';
import { PlainBrowser } from '../support/browser.ts';
import { factories } from '../support/factories.ts';
import { fleetReader, startPortalWorld } from '../support/portal-fleet.ts';
import { addRobotRows, idOfRow, upTo } from '../support/robot-rows.ts';
import type { World } from '../support/world.ts';

const linkNames = (text: string, path: string) =>
  [...text.matchAll(/href="([^"]*)"\s*>([^<]*)<\/a/g)]
    .filter(([, to]) => to?.startsWith(path))
    .map(([, , name]) => name);

/** Gives a robot conditions, as evaluation would. */
async function giveCondition(world: World, number: number, message = 'battery 4 %'): Promise<string> {
  const { rows } = await world.db.raw<{ rows: [{ id: string; name: string }] }>(
    `select id, name from condition_rules where org_id = ? order by name limit 1`,
    [world.orgId],
  );
  const [{ id, name }] = rows;
  const condition = { rule_id: id, name, severity: 'unhealthy', since: '2026-11-26T03:04:05.000Z', message };
  await world.db.raw(
    `update robot_status set is_known = true, severity = 2, since = '2026-11-26T03:04:05Z', firing = array[?::uuid], conditions = ?::jsonb
      where org_id = ? and robot_id = ?`,
    [id, JSON.stringify([condition]), world.orgId, idOfRow(number)],
  );
  return name;
}

test.each(['viewer', 'operator', 'admin'])(
  'a %s reads all pages of the fleet, from the entry in the navigation',
  async (role) => {
    await using world = await startPortalWorld();
    const { browser, get } = await fleetReader(world, { role });
    const { fleet_id: fleetId } = await addRobotRows(world, upTo(3));
    const rule = await giveCondition(world, 2);
    const release = await factories(world).release({ tag: 'nav-9.1' });
    const made = await factories(world).deployment({
      release_id: release.id,
      target_kind: 'fleet',
      target_id: fleetId,
    });
    expect((await browser.get('/portal')).text).toContain('<a href="/portal/fleet">Fleet</a>');
    const overview = await get();
    expect([overview.status, overview.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(overview.text).toContain('aria-label="1 unhealthy, 2 unknown"');
    expect(overview.text).toMatch(/<strong>3<\/strong> robots/);
    expect(linkNames(overview.text, '/portal/fleet/robots?condition=')).toEqual([rule]);
    expect(linkNames(overview.text, '/portal/fleet/deployments/release/')).toEqual(['nav-9.1']);
    const list = await get('/robots?health_status=unhealthy');
    expect(linkNames(list.text, '/portal/fleet/robots/0')).toEqual(['amr-2']);
    expect(list.text).toMatch(/2026-11-26 03:04:05 UTC/);
    const robot = await get(`/robots/${idOfRow(2)}`);
    expect(robot.text).toContain('battery 4 %');
    expect(linkNames(robot.text, '/portal/fleet/deployments/release/')).toEqual(['nav-9.1']);
    expect(linkNames((await get('/deployments')).text, '/portal/fleet/deployments/release/')).toEqual(['nav-9.1']);
    const deployment = await get(`/deployments/release/${made.id}`);
    expect([deployment.status, deployment.text.includes('Deployment of nav-9.1')]).toEqual([200, true]);
    expect((await get(`/deployments/config/${made.id}`)).status).toBe(404);
  },
);

test('a deployment to a selector links to the robots that match it now', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  await addRobotRows(world, upTo(3));
  await world
    .db('robots')
    .where({ id: idOfRow(2) })
    .update({ labels: { tier: 'a&b' } });
  const release = await factories(world).release({ tag: 'nav-9.1' });
  const target = { target_kind: 'selector', target_selector: 'tier=a&b' };
  await factories(world).deployment({ release_id: release.id, ...target });
  const { text } = await get('/deployments');
  const [, address = ''] = /selector <a href="\/portal\/fleet([^"]+)">tier=a&amp;b<\/a>/.exec(text) ?? [];
  expect(linkNames((await get(address.replaceAll('&amp;', '&'))).text, '/portal/fleet/robots/0')).toEqual(['amr-2']);
});

test('failed robots of a deployment stand first, with their reason', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  const { fleet_id: fleetId } = await addRobotRows(world, upTo(4));
  const config = await factories(world).config();
  const made = await factories(world).deployment({ config_id: config.id, target_kind: 'fleet', target_id: fleetId });
  await expect.poll(() => world.count('targets')).toBe(4);
  await world.db.raw(
    `update targets set status = 'failed', reason = 'install_failed', message = 'disk full', deadline_at = null where robot_id = ?`,
    [idOfRow(3)],
  );
  await world.db.raw('update deployment_counts set failed = 1, waiting = 3 where deployment_id = ?', [made.id]);
  const { text } = await get(`/deployments/config/${made.id}`);
  expect(linkNames(text, '/portal/fleet/robots/')).toEqual(['amr-3', 'amr-1', 'amr-2', 'amr-4']);
  expect(text).toContain('install failed: disk full');
  expect(text).toContain('aria-label="1 failed, 3 waiting"');
});

test('the list of robots is filtered, and continues on further pages with the same filters', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  const { fleet_id: fleetId, site_id: siteId } = await addRobotRows(world, upTo(70));
  await world.db.raw(`update robots set labels = '{"tier": "canary"}' where name in ('amr-5', 'amr-55')`);
  const found = async (query: string) => linkNames((await get(`/robots?${query}`)).text, '/portal/fleet/robots/0');
  expect(await found('q=AMR-6')).toEqual(['amr-6', ...upTo(10).map((n) => `amr-${59 + n}`)]);
  expect(await found('label=tier%3Dcanary&health_status=&q=')).toEqual(['amr-5', 'amr-55']);
  expect(await found(`site_id=${siteId}&health_status=healthy`)).toEqual([]);
  const first = await get(`/robots?fleet_id=${fleetId}&health_status=unknown`);
  const next = /href="([^"]*)">Next page</.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(next).toContain(`fleet_id=${fleetId}&health_status=unknown&cursor=`);
  const second = await get(next.slice('/portal/fleet'.length));
  expect(linkNames(second.text, '/portal/fleet/robots/0')).toEqual(upTo(20).map((n) => `amr-${50 + n}`));
  expect(second.text).toContain('>First page<');
  expect(second.text).not.toContain('>Next page<');
});

test('a query that no page has is refused, and the message names the known parameters', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  const many = Array.from({ length: 50 }, (_each, index) => `f${index}=1`).join('&');
  for (const [path, part] of [
    ['/robots?limit=0', 'q, health_status, condition, site_id, fleet_id, label, cursor'],
    ['/robots?cursor=x', 'cursor'],
    ['/robots?health_status=purple', 'unhealthy, degraded, unknown, healthy, not &quot;purple&quot;'],
    ['/robots?q=a&q=b', 'occurs twice'],
    [`/robots?${many}`, 'unknown query parameter &quot;f0&quot;'],
    [`/robots?q=${'a'.repeat(10_000)}`, 'longer than'],
    [`/robots?q=${'a'.repeat(129)}`, 'at most 128 characters'],
    ['/robots?q=%00', 'on one line'],
    ['/robots?label=X', 'tier=canary'],
    ['/deployments?kind=robot', 'release, config'],
    ['?x=1', 'this page has none'],
    ['?__proto__=1', 'unknown query parameter'],
  ] as const) {
    const { status, text } = await get(path);
    expect([path, status], text).toEqual([path, 400]);
    expect(text).toContain(part);
  }
});

test('a filter by a deleted fleet, or by one of another org, finds nothing and says so', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  await addRobotRows(world, upTo(2));
  const fleet = await factories(world).fleet(undefined, 'short-lived');
  await world.call('DELETE', `/api/fleets/${fleet.id}`);
  for (const id of [fleet.id, 'x']) {
    const { status, text } = await get(`/robots?fleet_id=${id}`);
    expect([status, text.includes('No robot matches these filters.')]).toEqual([200, true]);
    expect(text).toContain(`${id} (not found)</option>`);
  }
});

test('another org sees nothing of the fleet', async () => {
  await using world = await startPortalWorld();
  const { fleet_id: fleetId } = await addRobotRows(world, upTo(2));
  const name = await giveCondition(world, 1);
  const release = await factories(world).release({ tag: 'nav-9.2' });
  const made = await factories(world).deployment({ release_id: release.id, target_kind: 'fleet', target_id: fleetId });
  const { body } = await world.call('POST', '/api/admin/orgs', { token: '', body: { name: 'second' } });
  const { body: approved } = await world.call('POST', `/api/admin/orgs/${body.data.id}/approve`, { token: '' });
  await world.call('POST', '/api/users', {
    token: approved.data.token,
    body: { email: 'eve@example.com', role: 'admin' },
  });
  const eve = new PlainBrowser(world.url);
  await eve.signInLocally('eve@example.com');
  const overview = await eve.get('/portal/fleet');
  expect(overview.text).toMatch(/<strong>0<\/strong> robots/);
  for (const hidden of ['pickers', 'nav-9.2', `>${name}<`]) expect(overview.text).not.toContain(hidden);
  expect((await eve.get('/portal/fleet/robots')).text).toContain('No robots yet.');
  expect((await eve.get(`/portal/fleet/robots?fleet_id=${fleetId}`)).text).not.toMatch(/amr-|pickers/);
  for (const path of [`robots/${idOfRow(1)}`, `deployments/release/${made.id}`])
    expect((await eve.get(`/portal/fleet/${path}`)).status).toBe(404);
  const poll = await eve.get('/portal/fleet', { 'Live-Org': world.orgId });
  expect([poll.status, poll.text.includes('pickers')]).toEqual([403, false]);
});

test('markup in names, labels and messages is shown as text', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  const evil = '"><script>alert(1)</script>';
  await addRobotRows(world, upTo(1));
  await world.db.raw('update robots set name = ?, labels = ?::jsonb', [evil, JSON.stringify({ tier: evil })]);
  await world.db.raw('update fleets set name = ?', [evil]);
  await world.db.raw('update sites set name = ?', [evil]);
  await giveCondition(world, 1, evil);
  await world.db.raw(
    `insert into timeline_unnumbered (org_id, robot_id, id, kind, details) values (?, ?, gen_random_uuid(), 'renamed', ?)`,
    [world.orgId, idOfRow(1), JSON.stringify({ before: evil, after: evil })],
  );
  for (const path of ['', '/robots', `/robots?q=${encodeURIComponent('"><script')}`, `/robots/${idOfRow(1)}`]) {
    const { status, text, headers } = await get(path);
    expect([status, text.includes('<script>alert')]).toEqual([200, false]);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self'; form-action");
  }
});

test('only the pages of the fleet allow a script', async () => {
  await using world = await startPortalWorld();
  const { browser } = await fleetReader(world);
  for (const path of ['/portal', '/portal/tokens', '/portal/enrollment-keys']) {
    const { headers } = await browser.get(path);
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('an org without robots says how to begin', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  const { text } = await get();
  for (const part of ['No fleets yet.', 'No robot has a condition.', 'No active deployments.'])
    expect(text).toContain(part);
});

test('of more than 300 fleets the worst are shown, and how many are not', async () => {
  await using world = await startPortalWorld();
  const { get } = await fleetReader(world);
  const { site_id: siteId } = await addRobotRows(world, upTo(1));
  await giveCondition(world, 1);
  await world.db.raw(
    `insert into fleets (org_id, id, name, site_id) select ?, gen_random_uuid(), 'empty ' || n, ? from generate_series(1, 305) n`,
    [world.orgId, siteId],
  );
  const { text } = await get();
  const names = linkNames(text, '/portal/fleet/robots?fleet_id=');
  expect([names.length, names[0]?.startsWith('pickers')]).toEqual([300, true]);
  expect(text).toContain('6 more fleets are not shown.');
});
