import { expect, test } from 'vitest';
import { csrfIn, PlainBrowser } from '../support/browser.ts';
import { factories } from '../support/factories.ts';
import { personWith } from '../support/person.ts';
import { tempDir } from '../support/temp-dir.ts';
import { ageLog, exportAndTrim } from '../support/trimmed-log.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const startLocal = () => startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });

/** A user of the world's org in a browser, and what all forms there carry. */
async function signIn(world: World, email: string, role: string) {
  const { body } = await world.call('POST', '/api/users', { body: { email, role } });
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  const fields = { csrf: await browser.csrf(), org_id: world.orgId };
  const post = (path: string, more: Record<string, string>) => browser.post(path, { ...fields, ...more });
  return { browser, post, userId: body.data.id as string };
}

const valueIn = (text: string) => /svc_user_[0-9a-f]{64}/.exec(text)?.[0] ?? '';

/** Operations of the org's audit log, in order. */
async function operations(world: World): Promise<string[]> {
  const { body } = await world.call('GET', '/api/audit');
  return (body.items as { operation: string }[]).map(({ operation }) => operation);
}

test('a person makes a token that acts with their role, sees it in the list, and revokes it', async () => {
  await using world = await startLocal();
  const { browser, post, userId } = await signIn(world, 'ann@example.com', 'operator');
  const made = await post('/portal/tokens', { label: 'a <b>laptop</b>', days: '30' });
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
  const token = valueIn(made.text);
  const whoami = await world.call('GET', '/api/whoami', { token });
  expect(whoami.body.data).toMatchObject({ role: 'operator', user: { id: userId } });
  const days = (Date.parse(whoami.body.data.token.expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
  const { text } = await browser.get('/portal/tokens');
  expect(text).toContain('a &lt;b&gt;laptop&lt;/b&gt;');
  expect([text.includes(token.slice(-4)), text.includes(token)]).toEqual([true, false]);
  const id = whoami.body.data.token.id as string;
  expect((await post('/portal/tokens/revoke', { id })).status).toBe(303);
  expect((await world.call('GET', '/api/whoami', { token })).status).toBe(401);
  expect((await browser.get('/portal/tokens')).text).not.toContain('laptop&lt;/b&gt;');
  expect((await browser.get('/portal/tokens/ended')).text).toMatch(/laptop&lt;\/b&gt;<\/th>.*revoked <time/s);
  const { body } = await world.call('GET', `/api/audit?object_id=${id}`);
  expect(body.items).toMatchObject([
    { operation: 'createUserToken', actor_kind: 'user', actor_id: userId, after: { label: 'a <b>laptop</b>' } },
    { operation: 'revokeToken', actor_kind: 'user', actor_id: userId },
  ]);
  expect(JSON.stringify(body)).not.toContain(token);
  expect(world.lines.join('\n')).not.toContain(token);
});

test('whoever revokes a token of their own for several orgs ends it in all of them, and the log of each tells so', async () => {
  await using world = await startLocal();
  const orgs = [{ orgId: world.orgId, token: world.orgToken, role: 'viewer' }];
  const { body } = await world.call('POST', '/api/admin/orgs', { token: '', body: { name: 'second' } });
  const approved = await world.call('POST', `/api/admin/orgs/${body.data.id}/approve`, { token: '' });
  orgs.push({ orgId: body.data.id, token: approved.body.data.token, role: 'operator' });
  const { id, value, userIds } = await personWith(world, orgs);
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally('kim@example.com');
  const whoami = (orgId: string) =>
    world.call('GET', '/api/whoami', { token: value, headers: { 'X-Service-Org-Id': orgId } });
  for (const { orgId } of orgs) expect((await whoami(orgId)).status).toBe(200);
  const fields = { csrf: await browser.csrf(), org_id: world.orgId, id };
  expect((await browser.post('/portal/tokens/revoke', fields)).status).toBe(303);
  for (const [index, { orgId, token }] of orgs.entries()) {
    expect((await whoami(orgId)).status).toBe(401);
    const log = await world.call('GET', `/api/audit?object_id=${id}`, { token });
    expect(log.body.items).toMatchObject([{ operation: 'revokeToken', actor_kind: 'user', actor_id: userIds[index] }]);
  }
});

test('nobody revokes or sees the tokens of another user on the page of their own', async () => {
  await using world = await startLocal();
  const ann = await signIn(world, 'ann@example.com', 'admin');
  const bob = await signIn(world, 'bob@example.com', 'admin');
  const token = valueIn((await ann.post('/portal/tokens', { label: 'of ann', days: '0' })).text);
  const { id } = (await world.call('GET', '/api/whoami', { token })).body.data.token as { id: string };
  const refused = await bob.post('/portal/tokens/revoke', { id });
  const unknown = await bob.post('/portal/tokens/revoke', { id: world.orgId });
  expect([refused.status, refused.text]).toEqual([404, unknown.text]);
  expect((await bob.browser.get('/portal/tokens')).text).not.toContain('of ann');
  expect((await world.call('GET', '/api/whoami', { token })).status).toBe(200);
});

test('tokens, users and keys stand on their pages from the newest to the oldest, a hundred a page, and tokens that ended apart', async () => {
  await using world = await startLocal();
  const { browser, userId } = await signIn(world, 'ann@example.com', 'admin');
  const { site_id: siteId, id: fleetId } = await factories(world).fleet();
  const numbers = 'from generate_series(1, 205) n';
  // Each three of one instant: their ids decide.
  await world.db.raw(
    `insert into tokens (org_id, id, kind, user_id, digest, last_four, label, created_at, expires_at, revoked_at)
     select :orgId, gen_random_uuid(), 'user', :userId, sha256(n::text::bytea), 'abcd', 'token ' || n, now() + (n / 3) * interval '1 s',
            case when n % 5 = 1 then now() - interval '1 s' end, case when n % 5 = 2 then now() end ${numbers}`,
    { orgId: world.orgId, userId },
  );
  await world.db.raw(
    `insert into users (org_id, id, email, role, created_at)
     select ?, gen_random_uuid(), 'user' || n || '@example.com', 'viewer', now() + n * interval '1 s' ${numbers}`,
    [world.orgId],
  );
  await world.db.raw(
    `insert into enrollment_keys (org_id, id, digest, last_four, site_id, fleet_id, label, created_at)
     select ?, gen_random_uuid(), sha256(n::text::bytea), 'abcd', ?, ?, 'key ' || n, now() + n * interval '1 s' ${numbers}`,
    [world.orgId, siteId, fleetId],
  );
  /** What each page of a list names, from the latest page on. */
  async function pagesOf(path: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { status, text } = await browser.get(next);
      expect(status).toBe(200);
      pages.push([...text.matchAll(/<th scope="row">([^<]*)<\/th>/g)].map(([, name = '']) => name));
      expect(text.includes('>Newest entries<')).toBe(pages.length > 1);
      next = /href="([^"]*)">Older entries</.exec(text)?.[1];
    }
    return pages;
  }
  const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);
  const downward = (all: string[], step = 1) =>
    all.every((name, index) => index === 0 || numberOf(name) < numberOf(all[index - 1] ?? '') + step);

  const good = await pagesOf('/portal/tokens');
  expect(good.map(({ length }) => length)).toEqual([100, 23]);
  expect(new Set(good.flat()).size).toBe(123);
  expect(downward(good.flat(), 3)).toBe(true);
  expect(good.flat().filter((name) => [1, 2].includes(numberOf(name) % 5))).toEqual([]);
  const [ended = [], ...none] = await pagesOf('/portal/tokens/ended');
  expect([ended.length, none]).toEqual([82, []]);
  expect((await browser.get('/portal/tokens/ended')).text).not.toContain('Revoke');
  for (const [path, newest, sizes] of [
    ['/portal/users', 'user205@example.com', [100, 100, 6]],
    ['/portal/enrollment-keys', 'key 205', [100, 100, 5]],
  ] as const) {
    const pages = await pagesOf(path);
    expect([pages[0]?.[0], pages.map(({ length }) => length)]).toEqual([newest, sizes]);
    expect(downward(pages.flat())).toBe(true);
  }
  for (const wrong of ['x', '1', '&before=x'])
    expect((await browser.get(`/portal/tokens?before=${wrong}`)).status, wrong).toBe(400);
});

test('an admin invites, gives another role, issues a token and removes; each is in the audit log and counts at once', async () => {
  await using world = await startLocal();
  const { browser, post } = await signIn(world, 'ann@example.com', 'admin');
  expect((await post('/portal/users', { email: 'Bob@Example.com', role: 'viewer' })).status).toBe(303);
  expect((await post('/portal/users', { email: 'bob@example.com', role: 'admin' })).status).toBe(409);
  const { text } = await browser.get('/portal/users');
  const id = /Change the role of bob@example\.com/.test(text)
    ? (/token\?id=([\w-]+)"\s+aria-label="Issue a token to bob@/.exec(text)?.[1] ?? '')
    : '';
  expect((await post('/portal/users/role', { id, role: 'operator' })).status).toBe(303);
  expect((await browser.get(`/portal/users/token?id=${id}`)).text).toContain('with the role operator');
  const token = valueIn((await post('/portal/users/token', { id, label: 'for bob', days: '90' })).text);
  expect((await world.call('GET', '/api/whoami', { token })).body.data).toMatchObject({
    role: 'operator',
    user: { id },
  });
  expect((await browser.get(`/portal/users/remove?id=${id}`)).text).toContain('Remove bob@example.com?');
  expect((await post('/portal/users/remove', { id })).status).toBe(303);
  expect((await world.call('GET', '/api/whoami', { token })).status).toBe(401);
  expect((await operations(world)).slice(-4)).toEqual(['createUser', 'updateUser', 'createUserToken', 'deleteUser']);
});

test.each(['viewer', 'operator'])('the users of an org are out of reach for its %ss', async (role) => {
  await using world = await startLocal();
  const { browser, post, userId: id } = await signIn(world, 'ann@example.com', role);
  const before = await operations(world);
  for (const path of ['', `/remove?id=${id}`, `/token?id=${id}`])
    expect((await browser.get(`/portal/users${path}`)).status, path).toBe(403);
  const forms: [string, Record<string, string>][] = [
    ['', { email: 'bob@example.com', role: 'admin' }],
    ['/role', { id, role: 'admin' }],
    ['/remove', { id }],
    ['/token', { id, label: 'x', days: '30' }],
  ];
  for (const [path, fields] of forms) expect((await post(`/portal/users${path}`, fields)).status, path).toBe(403);
  expect((await browser.get('/portal')).text).not.toContain('/portal/users');
  expect(await operations(world)).toEqual(before);
});

test('a form of an org of others is answered like one of no org, and nothing changes there', async () => {
  await using world = await startLocal();
  const { browser } = await signIn(world, 'ann@example.com', 'admin');
  const { body } = await world.call('POST', '/api/admin/orgs', { token: '', body: { name: 'second' } });
  await world.call('POST', `/api/admin/orgs/${body.data.id as string}/approve`, { token: '' });
  const csrf = await browser.csrf();
  const answers = await Promise.all(
    [body.data.id as string, '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41', 'x', ''].map((org_id) =>
      browser.post('/portal/users', { csrf, org_id, email: 'bob@example.com', role: 'admin' }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await world.count('users')).toBe(1);
});

test('of two admins who take the role from each other at once one keeps it, and acts no more by what is gone', async () => {
  await using world = await startLocal();
  const ann = await signIn(world, 'ann@example.com', 'admin');
  const bob = await signIn(world, 'bob@example.com', 'admin');
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([
      ann.post('/portal/users/role', { id: bob.userId, role: 'viewer' }),
      bob.post('/portal/users/role', { id: ann.userId, role: 'viewer' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
    const loser = answers[0].status === 403 ? ann : bob;
    expect((await loser.post('/portal/users', { email: 'eve@example.com', role: 'admin' })).status).toBe(403);
    await world.call('PATCH', `/api/users/${loser.userId}`, { body: { role: 'admin' } });
  }
});

test('in an org that is suspended a person changes nothing', async () => {
  await using world = await startLocal();
  const { browser, post } = await signIn(world, 'ann@example.com', 'admin');
  await world.call('POST', `/api/admin/orgs/${world.orgId}/suspend`, { token: '' });
  expect((await browser.get('/portal/tokens')).status).toBe(403);
  expect((await post('/portal/tokens', { label: 'x', days: '30' })).status).toBe(403);
  expect((await post('/portal/users', { email: 'bob@example.com', role: 'admin' })).status).toBe(403);
  expect(await world.count('users')).toBe(1);
});

test('what a form lacks or has wrong is told, and nothing is made', async () => {
  await using world = await startLocal();
  const { browser, post } = await signIn(world, 'ann@example.com', 'admin');
  const wrong: [string, Record<string, string>, number][] = [
    ['/portal/tokens', { label: '', days: '30' }, 400],
    ['/portal/tokens', { label: ' '.repeat(5), days: '30' }, 400],
    ['/portal/tokens', { label: 'a'.repeat(129), days: '30' }, 400],
    ['/portal/tokens', { label: 'x\u202ey', days: '30' }, 400],
    ['/portal/tokens', { label: 'x', days: '31' }, 400],
    ['/portal/tokens', { label: 'x', days: '-1' }, 400],
    ['/portal/tokens', { label: 'x', days: 'NaN' }, 400],
    ['/portal/tokens', { label: 'x', days: '' }, 400],
    ['/portal/tokens', { label: 'x' }, 400],
    ['/portal/users', { email: 'nobody', role: 'viewer' }, 400],
    ['/portal/users', { email: `${'a'.repeat(64)}@${'b'.repeat(200)}.example`, role: 'viewer' }, 400],
    ['/portal/users', { email: 'bob@example.com', role: 'owner' }, 400],
    ['/portal/users', { email: 'bob@example.com' }, 400],
    ['/portal/users/role', { id: 'x', role: 'viewer' }, 404],
    ['/portal/users/remove', {}, 404],
    ['/portal/tokens/revoke', { id: 'x' }, 404],
  ];
  for (const [path, fields, status] of wrong)
    expect((await post(path, fields)).status, `${path} ${JSON.stringify(fields)}`).toBe(status);
  for (const path of ['/portal/tokens', '/portal/users'])
    expect((await browser.post(path, { org_id: world.orgId, csrf: 'x' })).status).toBe(403);
  expect((await browser.get('/portal/users/remove?id=x&id=y')).status).toBe(404);
  expect(csrfIn((await browser.get('/portal/users')).text)).toBe(await browser.csrf());
  expect([await world.count('users'), await world.count('tokens')]).toEqual([1, 1]);
});

test('a person asks for an org, waits, and is its admin once it is approved', async () => {
  await using world = await startLocal();
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally('ann@example.com');
  const csrf = await browser.csrf();
  expect((await browser.post('/portal/orgs', { csrf, name: '  Acme & <co>  ' })).status).toBe(303);
  const { text } = await browser.get('/portal');
  expect(text).toMatch(/Acme &amp; &lt;co&gt;<\/th>\s*<td>admin, awaiting approval</);
  expect(text).not.toContain('Request an organization');
  expect(text).toContain('You requested <strong>Acme &amp; &lt;co&gt;</strong>.');
  expect((await browser.get('/portal/users')).status).toBe(403);
  const pending = await world.call('GET', '/api/admin/orgs?status=pending', { token: '' });
  const asked = { name: 'Acme & <co>', requested_by: 'ann@example.com' };
  expect(pending.body.items).toMatchObject([{ ...asked, status: 'pending' }]);
  const orgId = pending.body.items[0].id as string;
  const approved = await world.call('POST', `/api/admin/orgs/${orgId}/approve`, { token: '' });
  expect((await browser.get('/portal')).text).toContain('Request an organization');
  expect((await browser.get('/portal/users')).text).toContain('Role of ann@example.com');
  const made = await browser.post('/portal/tokens', { csrf, org_id: orgId, label: 'x', days: '30' });
  const whoami = await world.call('GET', '/api/whoami', { token: valueIn(made.text) });
  expect(whoami.body.data).toMatchObject({ role: 'admin', org: { id: orgId } });
  expect(approved.body.data.org).toMatchObject({ ...asked, status: 'approved' });
  const all = await world.call('GET', '/api/admin/orgs', { token: '' });
  expect(all.body.items).toMatchObject([{ id: world.orgId }, asked]);
  expect(all.body.items[0]).not.toHaveProperty('requested_by');
  const own = await world.call('GET', '/api/org', { token: approved.body.data.token as string });
  expect([own.status, own.text.includes('requested_by')]).toEqual([200, false]);
  const log = await world.call('GET', '/api/audit?operation=createOrg', { token: approved.body.data.token as string });
  expect(log.body.items).toMatchObject([{ actor_kind: 'user', object_id: orgId, after: { status: 'pending' } }]);
});

test('whoever is a member of an org that somebody else asked for may ask for one all the same', async () => {
  await using world = await startLocal();
  const [ann, bob] = [new PlainBrowser(world.url), new PlainBrowser(world.url)];
  await ann.signInLocally('ann@example.com');
  await ann.post('/portal/orgs', { csrf: await ann.csrf(), name: 'of ann' });
  await world.db.raw(
    `insert into users (org_id, id, email, role) select id, gen_random_uuid(), 'bob@example.com', 'viewer' from orgs where name = 'of ann'`,
  );
  await bob.signInLocally('bob@example.com');
  const { text } = await bob.get('/portal');
  expect(text).toMatch(/of ann<\/th>\s*<td>viewer, awaiting approval</);
  expect(text).toContain('Request an organization');
  expect(text).not.toContain('You requested');
  expect((await bob.post('/portal/orgs', { csrf: csrfIn(text), name: 'of bob' })).status).toBe(303);
  expect((await bob.get('/portal')).text).toContain('You requested <strong>of bob</strong>.');
});

test('a person asks for one org at a time, also when they ask ten times at once', async () => {
  await using world = await startLocal();
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally('ann@example.com');
  const csrf = await browser.csrf();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => browser.post('/portal/orgs', { csrf, name: `org ${index}` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(9).fill(409)]);
  expect([await world.count('orgs'), await world.count('users')]).toEqual([2, 1]);
  for (const name of ['', '   ', 'a'.repeat(129), 'a\u0007'])
    expect((await browser.post('/portal/orgs', { csrf, name })).status, name).toBe(400);
  expect((await browser.post('/portal/orgs', { csrf: 'x', name: 'b' })).status).toBe(403);
});

test('enrollment keys stand on a page with what is left of them, for every member, without their values', async () => {
  await using world = await startLocal();
  const { browser } = await signIn(world, 'ann@example.com', 'viewer');
  expect((await browser.get('/portal/enrollment-keys')).text).toContain('No enrollment keys yet.');
  const made = factories(world);
  const { value } = await made.key({ label: 'line <2>', max_uses: 3 });
  const revoked = await made.key({ label: 'old' });
  await world.call('POST', `/api/enrollment-keys/${revoked.id}/revoke`);
  const { status, text } = await browser.get('/portal/enrollment-keys');
  expect(status).toBe(200);
  for (const part of ['line &lt;2&gt;', `…${value.slice(-4)}`, '0 of 3', '<strong>valid</strong>', 'revoked'])
    expect(text).toContain(part);
  expect(text).not.toContain(value);
});

test('an admin reads the audit log by pages, the latest first; others do not', async () => {
  await using world = await startLocal();
  const ann = await signIn(world, 'ann@example.com', 'admin');
  const bob = await signIn(world, 'bob@example.com', 'operator');
  for (let count = 0; count < 105; count += 1)
    await world.call('POST', '/api/sites', { body: { name: `site ${count} <b>` } });
  const numbers = (text: string) => [...text.matchAll(/<th scope="row">(\d+)<\/th>/g)].map(([, seq]) => Number(seq));
  const latest = await ann.browser.get('/portal/audit');
  const { seq: last } = (await world.call('GET', '/api/audit')).body.items.at(-1) as { seq: number };
  expect(numbers(latest.text)).toEqual(Array.from({ length: 100 }, (_, index) => last - index));
  expect(latest.text).toContain('site 104 &lt;b&gt;');
  const older = /href="(\/portal\/audit\?before=\d+)"/.exec(latest.text)?.[1] ?? '';
  const rest = await ann.browser.get(older);
  expect(numbers(rest.text)).toEqual(Array.from({ length: last - 100 }, (_, index) => last - 100 - index));
  expect(rest.text).toContain('Newest entries');
  expect(rest.text).not.toContain('Older entries');
  for (const wrong of ['0', '-1', 'x', '1e3', '9'.repeat(16)])
    expect((await ann.browser.get(`/portal/audit?before=${wrong}`)).status).toBe(400);
  expect(numbers((await ann.browser.get('/portal/audit?before=1')).text)).toEqual([]);
  expect((await bob.browser.get('/portal/audit')).status).toBe(403);
  expect((await bob.browser.get('/portal')).text).not.toContain('/portal/audit');
});

test('the page of the audit log says which entries were exported, and has no link to them', async () => {
  await using world = await startLocal();
  await using folder = await tempDir();
  const ann = await signIn(world, 'ann@example.com', 'admin');
  await ageLog(world, 150);
  await exportAndTrim(world, folder.path, 'export');
  const { items } = (await world.call('GET', '/api/audit')).body as { items: { seq: number }[] };
  const [first = 0, last = 0] = [items[0]?.seq, items.at(-1)?.seq];
  expect(first).toBeGreaterThan(150);
  for (let count = 0; count < 3; count += 1)
    await world.call('POST', '/api/sites', { body: { name: `site ${count}` } });
  const seqsOn = async (path: string) =>
    [...(await ann.browser.get(path)).text.matchAll(/<th scope="row">(\d+)<\/th>/g)].map(([, seq]) => Number(seq));
  const { text } = await ann.browser.get('/portal/audit');
  expect(text).toContain(`Entries up to ${first - 1} were exported on 20`);
  expect(text).not.toContain('Older entries');
  expect(await seqsOn('/portal/audit')).toEqual(
    Array.from({ length: last + 4 - first }, (_, index) => last + 3 - index),
  );
  expect(await seqsOn(`/portal/audit?before=${first + 2}`)).toEqual([first + 1, first]);
  for (const before of [first, first - 20, 1]) expect(await seqsOn(`/portal/audit?before=${before}`)).toEqual([]);
});
