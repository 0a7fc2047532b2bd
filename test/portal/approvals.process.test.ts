import { expect, test } from 'vitest';
import { PlainBrowser } from '../support/browser.ts';
import { factories } from '../support/factories.ts';
import { startPortalWorld } from '../support/portal-fleet.ts';
import type { World } from '../support/world.ts';

/** A person in a browser, who posts forms as the pages have them. */
async function signIn(world: World, name: string, role = 'operator') {
  const email = `${name}@example.com`;
  await world.call('POST', '/api/users', { body: { email, role } });
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  const fields = { csrf: await browser.csrf(), org_id: world.orgId };
  return { browser, post: (path: string, more: Record<string, string>) => browser.post(path, { ...fields, ...more }) };
}

async function unapproved(world: World) {
  const make = factories(world);
  const key = await make.key();
  await make.robot('amr-1', key);
  const release = await make.release({ tag: 'nav-9.3' });
  const rollout = { waves: [{ count: 1 }], approval: { people: 2 } };
  const wish = { release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id, rollout };
  const { id, approval } = await make.deployment(wish);
  const { config_id: ignored, ...of } = { config_id: (await make.config()).id, ...wish };
  const config = await make.deployment({ ...of, release_id: undefined, config_id: ignored });
  return { id: id as string, hash: approval.plan_hash as string, config };
}

test('people approve on a page, which shows the plan and who decided what', async () => {
  await using world = await startPortalWorld();
  const { id, hash, config } = await unapproved(world);
  const [ana, bob] = [await signIn(world, 'ana'), await signIn(world, 'bob')];
  const list = (await ana.browser.get('/portal/approvals')).text;
  for (const path of [`release/${id}`, `config/${config.id as string}`])
    expect(list).toContain(`/portal/approvals/${path}`);
  const path = `/portal/approvals/release/${id}`;
  const page = (await ana.browser.get(path)).text;
  for (const part of ['Approval of nav-9.3', hash, 'org token', '0 of 2', '1, 0 online', 'name="decision"'])
    expect(page).toContain(part);
  const sent = { plan_hash: hash, wave: '0', decision: 'approve', reason: 'tested <b>well</b>' };
  expect((await ana.post(path, sent)).status).toBe(303);
  // A second click.
  expect((await ana.post(path, sent)).status).toBe(303);
  const after = (await bob.browser.get(path)).text;
  for (const part of ['1 of 2, by ana@example.com', 'tested &lt;b&gt;well&lt;/b&gt;']) expect(after).toContain(part);
  expect((await bob.post(path, sent)).status).toBe(303);
  const read = async () => (await world.call('GET', `/api/deployments/${id}`)).body.data.status as string;
  await expect.poll(read).toBe('pending');
  expect((await bob.browser.get(path)).text).toContain('It does not wait for approval.');
  const { items } = (await world.call('GET', '/api/audit?operation=createDeploymentApproval')).body;
  expect(items).toMatchObject([
    { actor_kind: 'user', object_kind: 'deployment', object_id: id },
    { actor_kind: 'user' },
  ]);
  expect((await bob.browser.get('/portal/approvals')).text).not.toContain(`release/${id}`);
});

test('a person rejects on a page; what is wrong with a form is said, and changes nothing', async () => {
  await using world = await startPortalWorld();
  const { id, hash } = await unapproved(world);
  const [ana, vic] = [await signIn(world, 'ana'), await signIn(world, 'vic', 'viewer')];
  const path = `/portal/approvals/release/${id}`;
  const sent = { plan_hash: hash, wave: '0', decision: 'approve', reason: '' };
  for (const [wrong, status] of [
    [{ decision: 'maybe' }, 400],
    [{ wave: 'x' }, 400],
    [{ reason: 'x'.repeat(501) }, 400],
    [{ plan_hash: 'other' }, 409],
    [{ wave: '1' }, 409],
    [{ csrf: 'other' }, 403],
  ] as const)
    expect((await ana.post(path, { ...sent, ...wrong })).status).toBe(status);
  expect((await vic.post(path, sent)).text).toContain('needs operator or higher');
  expect((await ana.browser.get(`/portal/approvals/other/${id}`)).status).toBe(404);
  expect(await world.count('deployment_approvals')).toBe(0);
  expect((await ana.post(path, { ...sent, decision: 'reject', reason: 'not now' })).status).toBe(303);
  expect((await world.call('GET', `/api/deployments/${id}`)).body.data).toMatchObject({
    status: 'cancelled',
    reason: 'rejected',
  });
});

test('a list of more than a hundred says that it is cut', async () => {
  await using world = await startPortalWorld();
  const { id } = await unapproved(world);
  const copies = (count: number) =>
    world.db.raw(
      `insert into deployments select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
         from deployments d, generate_series(1, ?) where d.id = ?`,
      [count, id],
    );
  const { browser } = await signIn(world, 'ana');
  const shown = async () => {
    const { text } = await browser.get('/portal/approvals');
    return [text.match(/approvals\/release\//g)?.length, text.includes('Only the first 100 of releases')];
  };
  await copies(99);
  expect(await shown()).toEqual([100, false]);
  await copies(1);
  expect(await shown()).toEqual([100, true]);
});
