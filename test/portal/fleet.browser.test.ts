import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { faultsOf, openChromium, picture, testInBrowser, watchPage } from '../support/chromium.ts';
import { factories } from '../support/factories.ts';
import { startKillableService } from '../support/killable-service.ts';
import { startPortalWorld } from '../support/portal-fleet.ts';
import { addRobotRows, idOfRow, upTo } from '../support/robot-rows.ts';
import type { World } from '../support/world.ts';

async function signIn(page: Page, world: World, path: string): Promise<void> {
  await world.call('POST', '/api/users', { body: { email: 'ann@example.com', role: 'viewer' } });
  await page.goto(`${world.url}${path}`);
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.url}${path}`);
}

/** Robots in several states of health, with a deployment. */
async function furnish(world: World): Promise<string> {
  const { fleet_id: fleetId } = await addRobotRows(world, upTo(12));
  const condition = (severity: string) =>
    `jsonb_build_array(jsonb_build_object('rule_id', c.id, 'name', c.name, 'severity', '${severity}', 'since', '2026-11-26T03:04:05.000Z', 'message', 'battery 4 %'))`;
  for (const [severity, numbers] of [
    ['unhealthy', [2, 3]],
    ['degraded', [5]],
  ] as const)
    await world.db.raw(
      `update robot_status s set is_known = true, severity = ?, since = now(), firing = array[c.id], conditions = ${condition(severity)}
         from condition_rules c where c.org_id = s.org_id and c.name = 'battery-low' and s.robot_id = any(?::uuid[])`,
      [severity === 'unhealthy' ? 2 : 1, numbers.map(idOfRow)],
    );
  const release = await factories(world).release({ tag: 'nav-9.3' });
  const made = await factories(world).deployment({ release_id: release.id, target_kind: 'fleet', target_id: fleetId });
  return made.id as string;
}

testInBrowser('a page of the fleet shows changes without a reload, and keeps focus, selection and scroll', async () => {
  await using world = await startPortalWorld();
  await furnish(world);
  await using browser = await openChromium();
  const page = await browser.newPage();
  const { foreign, complaints } = watchPage(page, [world.url]);
  await signIn(page, world, '/portal/fleet/robots');
  await page.getByRole('link', { name: 'amr-12' }).focus();
  await page.evaluate('window.notReloaded = true; window.scrollTo(0, 200)');
  await page.evaluate(`getSelection().selectAllChildren([...document.querySelectorAll('td')].at(-2))`);
  const selected = await page.evaluate<string>('String(getSelection())');
  await world.db.raw(`update robots set name = 'amr-renamed' where id = ?`, [idOfRow(3)]);
  await world
    .db('robots')
    .where({ id: idOfRow(1) })
    .delete();
  await page.getByRole('link', { name: 'amr-renamed' }).waitFor();
  expect(await page.getByRole('link', { name: 'amr-1', exact: true }).count()).toBe(0);
  const state = await page.evaluate(
    '[window.notReloaded, document.activeElement.textContent, window.scrollY, String(getSelection())]',
  );
  expect(state).toEqual([true, 'amr-12', 200, selected]);
  expect(selected).toContain('never seen');
  expect([foreign, complaints]).toEqual([[], []]);
});

testInBrowser('a hidden tab sends nothing, and is up to date as soon as it is shown again', async () => {
  await using world = await startPortalWorld();
  await furnish(world);
  await using browser = await openChromium();
  const page = await browser.newPage();
  await signIn(page, world, '/portal/fleet/robots');
  let polls = 0;
  page.on('request', (request) => (polls += 'live-org' in request.headers() ? 1 : 0));
  const show = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`,
    );
  await show(true);
  await world.db.raw(`update robots set name = 'amr-renamed' where id = ?`, [idOfRow(3)]);
  await page.waitForTimeout(6_000);
  expect(polls).toBe(0);
  await show(false);
  await page.getByRole('link', { name: 'amr-renamed' }).waitFor({ timeout: 4_500 }); // it asks every 5 s
  expect(polls).toBe(1);
});

testInBrowser(
  'a page says since when it is not updated while the service fails or is an older one, and recovers; and when it is signed out',
  async () => {
    await using world = await startPortalWorld();
    await furnish(world);
    await using browser = await openChromium();
    const page = await browser.newPage();
    await signIn(page, world, '/portal/fleet');
    const note = page.getByRole('status');
    // A replica of the previous release, during an upgrade, has no such page.
    const older = { status: 404, contentType: 'application/json', body: '{"error":{"code":"not_found"}}' };
    await page.route('**/portal/fleet', (route) => route.fulfill(older));
    await note.getByText(/Not updated since/).waitFor();
    await page.unroute('**/portal/fleet');
    await expect.poll(() => note.textContent()).toBe('');
    await page.route('**/portal/fleet', (route) => route.abort());
    await note.getByText(/Not updated since \d\d:\d\d:\d\d UTC/).waitFor();
    expect(await page.getByRole('heading', { name: 'Conditions' }).isVisible()).toBe(true);
    await picture(page, 'fleet-not-updated');
    await page.unroute('**/portal/fleet');
    await expect.poll(() => note.textContent()).toBe('');
    await world.db('portal_sessions').delete();
    await note.getByText('You are signed out').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await note.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${world.url}/sign-in?return_to=%2Fportal%2Ffleet`);
  },
);

testInBrowser('the pages of the fleet are sound for everybody, on a phone, and without scripts', async () => {
  await using world = await startPortalWorld();
  const deployment = await furnish(world);
  await using browser = await openChromium();
  const page = await browser.newPage();
  const { foreign, complaints } = watchPage(page, [world.url]);
  await signIn(page, world, '/portal/fleet');
  const paths = { overview: '', robots: '/robots', robot: `/robots/${idOfRow(2)}`, deployments: '/deployments' };
  const all = { ...paths, deployment: `/deployments/release/${deployment}` };
  for (const [name, path] of Object.entries(all)) {
    await page.goto(`${world.url}/portal/fleet${path}`);
    expect(await faultsOf(page), name).toEqual([]);
    await picture(page, `fleet-${name}`);
  }
  for (const width of [320, 400, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    for (const path of Object.values(all)) {
      await page.goto(`${world.url}/portal/fleet${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(width);
    }
  }
  expect([foreign, complaints]).toEqual([[], []]);
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.addCookies(await page.context().cookies());
  const plain = await context.newPage();
  await plain.goto(`${world.url}/portal/fleet/robots`);
  await plain.getByLabel('Health').selectOption('unhealthy');
  await plain.getByRole('button', { name: 'Filter' }).click();
  await plain.getByRole('link', { name: 'amr-2' }).waitFor();
  expect(await plain.getByRole('link', { name: 'amr-5' }).count()).toBe(0);
  await plain.getByRole('link', { name: 'Reload' }).click();
  await plain.getByRole('link', { name: 'amr-3' }).waitFor();
});

testInBrowser('a page is up to date again after the service was killed and started', async () => {
  await using service = await startKillableService();
  const value = randomBytes(32).toString('base64url');
  const { rows } = await service.db.raw<{ rows: [{ id: string }] }>(
    `with person as (insert into people (id, issuer, subject, email) values (gen_random_uuid(), 'test', 'ann', 'ann@example.com') returning id),
          member as (insert into users (org_id, id, email, role, person_id)
            select o.id, gen_random_uuid(), 'ann@example.com', 'viewer', person.id from orgs o, person)
     insert into portal_sessions (digest, person_id, csrf, expires_at)
       select ?, id, 'x', now() + interval '1 hour' from person returning person_id as id`,
    [createHash('sha256').update(value).digest()],
  );
  expect(rows).toHaveLength(1);
  await using browser = await openChromium();
  const context = await browser.newContext();
  await context.addCookies([{ name: 'session', value, url: service.url.href }]);
  const page = await context.newPage();
  await page.goto(new URL('/portal/fleet', service.url).href);
  await page.getByText('No fleets yet.').waitFor();
  await service.killServer();
  await page.getByRole('status').getByText('Not updated since').waitFor();
  await service.db.raw(`insert into sites (org_id, id, name) select id, gen_random_uuid(), 'Osaka' from orgs`);
  await service.db.raw(
    `insert into fleets (org_id, id, site_id, name) select org_id, gen_random_uuid(), id, 'pickers' from sites`,
  );
  await service.startServer();
  await page.getByRole('link', { name: 'pickers' }).waitFor();
  await expect.poll(() => page.getByRole('status').textContent()).toBe('');
});
