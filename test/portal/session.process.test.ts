import { expect, test } from 'vitest';
import { userService } from '../../src/users/service.ts';
import { PlainBrowser } from '../support/browser.ts';
import { rawAnswers, rawRequest } from '../support/raw-http.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

/** Without an admin token and a provider, as it is at a developer's machine. */
const startLocal = () => startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });

let people = 0;
/** A browser whose person is a user of the org of the world. */
async function signedIn(world: World, role = 'admin') {
  people += 1;
  const email = `somebody-${people}@example.com`;
  const { body } = await world.call('POST', '/api/users', { body: { email, role } });
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  return { browser, email, userId: body.data.id as string };
}

const isSignedIn = async (browser: PlainBrowser) => (await browser.get('/portal')).status === 200;

/** Moves the session of this browser into the past. */
const age = (world: World, browser: PlainBrowser, column: string, interval: string) =>
  world.db.raw(`update portal_sessions set ${column} = ${column} - interval '${interval}' where digest = sha256(?)`, [
    Buffer.from(browser.jar.get('session') ?? ''),
  ]);

test('without a provider whoever is at this machine signs in as any address, and the page says so', async () => {
  await using world = await startLocal();
  const browser = new PlainBrowser(world.url);
  const asked = await browser.get('/portal');
  expect([asked.status, asked.location]).toEqual([303, '/sign-in?return_to=%2Fportal']);
  const { text } = await browser.get(asked.location);
  expect(text).toContain('For development only.');
  const { status, location } = await browser.signInLocally('Ann@Example.com');
  expect([status, location]).toEqual([303, '/portal']);
  expect((await browser.get('/portal')).text).toContain('Hello, ann@example.com');
  expect(world.lines.join('\n')).toContain('local sign-in');
});

test.each([
  ['by another name', { Host: 'rebinding.example.com', Origin: 'http://rebinding.example.com' }],
  ['through a proxy', { Host: '127.0.0.1', Origin: 'http://127.0.0.1', 'X-Forwarded-For': '203.0.113.7' }],
])('the sign-in for development answers nobody who comes %s', async (_how, headers) => {
  await using world = await startLocal();
  const lines = [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), 'Connection: close'];
  const form = 'email=ann%40example.com';
  const asForm = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`];
  for (const bytes of [
    rawRequest('GET /sign-in HTTP/1.1', lines),
    rawRequest('POST /sign-in HTTP/1.1', [...lines, ...asForm]) + form,
  ])
    expect((await rawAnswers(world.port, bytes))[0]?.status).toBe(404);
});

test('with an admin token and without a provider nobody signs in', async () => {
  await using closed = await startIsolatedWorld();
  const browser = new PlainBrowser(closed.url);
  expect((await browser.get('/sign-in')).status).toBe(404);
  expect((await browser.signInLocally('ann@example.com')).status).toBe(404);
  expect(await closed.count('people')).toBe(0);
});

test('a sign-in gives a session that nobody could know, and ends the one that the browser had', async () => {
  await using world = await startLocal();
  const { browser } = await signedIn(world);
  const first = browser.jar.get('session') ?? '';
  const planted = new PlainBrowser(world.url);
  planted.jar.set('session', 'A'.repeat(43));
  await planted.signInLocally('planted@example.com');
  expect(planted.jar.get('session')).not.toBe('A'.repeat(43));
  await browser.signInLocally('again@example.com');
  const former = new PlainBrowser(world.url);
  former.jar.set('session', first);
  expect([await isSignedIn(browser), await isSignedIn(former)]).toEqual([true, false]);
});

test.each(['', 'A', 'A'.repeat(42), 'A'.repeat(44), '%00'.repeat(14), "' or 1=1 --"])(
  'a cookie of the value "%s" is no session',
  async (value) => {
    await using world = await startLocal();
    const browser = new PlainBrowser(world.url);
    browser.jar.set('session', value);
    expect((await browser.get('/portal')).status).toBe(303);
  },
);

test('two cookies of one name are no session: one of them is somebody else’s', async () => {
  await using world = await startLocal();
  const { browser } = await signedIn(world);
  const value = browser.jar.get('session') ?? '';
  const other = 'A'.repeat(43);
  for (const [first, second] of [
    [value, other],
    [other, value],
    [value, value],
  ] as const)
    expect((await browser.get('/portal', { Cookie: `session=${first}; session=${second}` })).status).toBe(303);
});

test('the value of a session changes each hour; the old one is good for requests on their way, and then no more', async () => {
  await using world = await startLocal();
  const { browser } = await signedIn(world);
  const before = browser.jar.get('session') ?? '';
  await age(world, browser, 'rotated_at', '61 minutes');
  const late = new PlainBrowser(world.url);
  late.jar.set('session', before);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => late.get('/portal', { Cookie: `session=${before}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
  const after = late.jar.get('session') ?? '';
  expect(after).not.toBe(before);
  const old = new PlainBrowser(world.url);
  old.jar.set('session', before);
  expect([await isSignedIn(late), await isSignedIn(old)]).toEqual([true, true]);
  await age(world, late, 'rotated_at', '61 seconds');
  expect([await isSignedIn(late), await isSignedIn(old)]).toEqual([true, false]);
});

test.each([
  ['seen_at', '59 minutes', true],
  ['seen_at', '61 minutes', false],
  ['expires_at', '11 hours', true],
  ['expires_at', '12 hours', false],
])('a session whose %s is %s earlier is still good: %s', async (column, interval, isGood) => {
  await using world = await startLocal();
  const { browser } = await signedIn(world);
  await age(world, browser, column, interval);
  expect(await isSignedIn(browser)).toBe(isGood);
});

test('a session that is used goes on, and one that is over is forgotten', async () => {
  await using world = await startLocal();
  const { browser } = await signedIn(world);
  for (let round = 0; round < 3; round += 1) {
    await age(world, browser, 'seen_at', '40 minutes');
    expect(await isSignedIn(browser)).toBe(true);
  }
});

test('signing out ends the session on the server, in this browser alone', async () => {
  await using world = await startLocal();
  const { browser, email } = await signedIn(world);
  const other = new PlainBrowser(world.url);
  await other.signInLocally(email);
  const kept = new PlainBrowser(world.url);
  kept.jar.set('session', browser.jar.get('session') ?? '');
  const { status, location, headers } = await browser.post('/sign-out', { csrf: await browser.csrf() });
  expect([status, location]).toEqual([303, '/sign-out']);
  expect(headers.getSetCookie()).toEqual(['session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
  expect((await browser.get('/sign-out')).text).toContain('You are signed out');
  expect([await isSignedIn(kept), await isSignedIn(other)]).toEqual([false, true]);
});

test('who is removed from the last of their orgs is signed out everywhere, who has another one is not', async () => {
  await using world = await startLocal();
  const { browser, email, userId } = await signedIn(world);
  const elsewhere = new PlainBrowser(world.url);
  await elsewhere.signInLocally(email);
  const { body } = await world.call('POST', '/api/admin/orgs', { token: '', body: { name: 'second' } });
  const approved = await world.call('POST', `/api/admin/orgs/${body.data.id as string}/approve`, { token: '' });
  const token = approved.body.data.token as string;
  const second = await world.call('POST', '/api/users', { token, body: { email, role: 'viewer' } });
  await elsewhere.signInLocally(email); // accepts the second invitation
  const page = (await browser.get('/portal')).text;
  expect(page).toMatch(/second<\/th>\s*<td>viewer</);
  await world.call('DELETE', `/api/users/${userId}`);
  expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([true, true]);
  expect((await browser.get('/portal')).text).not.toContain('<th scope="row">local</th>');
  await world.call('DELETE', `/api/users/${second.body.data.id as string}`, { token });
  expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([false, false]);
});

test('so is who is removed from their two orgs at the same time', async () => {
  await using world = await startLocal();
  const { browser, email, userId } = await signedIn(world);
  const { body } = await world.call('POST', '/api/admin/orgs', { token: '', body: { name: 'second' } });
  const approved = await world.call('POST', `/api/admin/orgs/${body.data.id as string}/approve`, { token: '' });
  const token = approved.body.data.token as string;
  const second = await world.call('POST', '/api/users', { token, body: { email, role: 'viewer' } });
  await browser.signInLocally(email);
  let isDone = false;
  let other: Promise<unknown> = Promise.resolve();
  await world.db.transaction(async (trx) => {
    await userService(trx).delete(world.orgId, userId);
    other = world.call('DELETE', `/api/users/${second.body.data.id as string}`, { token }).then(() => (isDone = true));
    const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => isDone || (await world.db.raw<{ rows: unknown[] }>(waits)).rows.length > 0);
  });
  await other;
  expect(await world.count('portal_sessions')).toBe(0);
});

test('a role that changes, and an org that is suspended, are seen on the next page', async () => {
  await using world = await startLocal();
  const { browser, userId } = await signedIn(world, 'viewer');
  await world.call('PATCH', `/api/users/${userId}`, { body: { role: 'operator' } });
  expect((await browser.get('/portal')).text).toMatch(/local<\/th>\s*<td>operator</);
  const suspend = (move: string) => world.call('POST', `/api/admin/orgs/${world.orgId}/${move}`, { token: '' });
  await suspend('suspend');
  try {
    expect((await browser.get('/portal')).text).toMatch(/local<\/th>\s*<td>operator, suspended</);
  } finally {
    await suspend('resume');
  }
});

test('a person of several orgs chooses one of their own, and another id is answered like none', async () => {
  await using world = await startLocal();
  const { browser, email } = await signedIn(world);
  const { body } = await world.call('POST', '/api/admin/orgs', { token: '', body: { name: 'another <b>org</b>' } });
  const orgId = body.data.id as string;
  await world.db.raw('insert into users (org_id, id, email, role) values (?, gen_random_uuid(), ?, ?)', [
    orgId,
    email,
    'viewer',
  ]);
  const csrf = await browser.csrf();
  const strange = await browser.post('/portal/org', { csrf, org_id: orgId }); // invited, and not yet accepted
  const unknown = await browser.post('/portal/org', { csrf, org_id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c41' });
  expect([strange.status, strange.text]).toEqual([404, unknown.text]);
  await browser.signInLocally(email);
  expect((await browser.get('/portal')).text).not.toContain('<strong>chosen</strong>');
  expect((await browser.post('/portal/org', { csrf: await browser.csrf(), org_id: orgId })).status).toBe(303);
  const { text } = await browser.get('/portal');
  expect(text).toMatch(
    /another &lt;b&gt;org&lt;\/b&gt;<\/th>\s*<td>viewer, awaiting approval<\/td>\s*<td><strong>chosen/,
  );
});

test('a form counts only from a page of ours and with the field of its session', async () => {
  await using world = await startLocal();
  const { browser } = await signedIn(world);
  const { browser: other } = await signedIn(world);
  const csrf = await browser.csrf();
  const refused: [string, Record<string, string>, Record<string, string>][] = [
    ['no field', {}, {}],
    ['an empty field', { csrf: '' }, {}],
    ['the field of another session', { csrf: await other.csrf() }, {}],
    ['another origin', { csrf }, { Origin: 'https://attacker.example.com' }],
    ['our host at another port', { csrf }, { Origin: `http://127.0.0.1:${world.port + 1}` }],
    ['our host by https', { csrf }, { Origin: world.url.replace('http:', 'https:') }],
    ['a host that begins like ours', { csrf }, { Origin: `${world.url}.example.com` }],
    ['an origin that is hidden', { csrf }, { Origin: 'null' }],
    ['another site', { csrf }, { 'Sec-Fetch-Site': 'cross-site' }],
    ['a site beside ours', { csrf }, { 'Sec-Fetch-Site': 'same-site' }],
    ['an address that was typed', { csrf }, { Origin: '', 'Sec-Fetch-Site': 'none' }],
    ['nobody knows where', { csrf }, { Origin: '', 'Sec-Fetch-Site': '' }],
  ];
  for (const [what, fields, headers] of refused)
    expect((await browser.post('/sign-out', fields, headers)).status, what).toBe(403);
  for (const [what, headers] of [
    ['another origin', { Origin: 'https://attacker.example.com' }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ] as const)
    expect((await browser.post('/sign-in', { email: 'a@example.com' }, headers)).status, what).toBe(403);
  expect(await isSignedIn(browser)).toBe(true);
  expect((await browser.post('/sign-out', { csrf }, { 'Sec-Fetch-Site': '' })).status).toBe(303);
});

test('a form without a session is refused and leads to the sign-in by a link', async () => {
  await using world = await startLocal();
  const { status, text } = await new PlainBrowser(world.url).post('/portal/org', { csrf: 'x' });
  expect(status).toBe(401);
  expect(text).toContain('href="/sign-in"');
});

test.each<[string, string, string, number]>([
  ['JSON', '{"csrf":"x"}', 'application/json', 415],
  ['a name twice', 'email=a%40example.com&email=b%40example.com', 'application/x-www-form-urlencoded', 400],
  ['a NUL', 'email=a%00%40example.com', 'application/x-www-form-urlencoded', 400],
  ['a broken escape', 'email=%zz', 'application/x-www-form-urlencoded', 400],
  ['no address', 'email=somebody', 'application/x-www-form-urlencoded', 400],
  ['nothing', '', 'application/x-www-form-urlencoded', 400],
  ['names of objects', '__proto__=a&constructor=b', 'application/x-www-form-urlencoded', 400],
  ['too many fields', 'a=1&'.repeat(200), 'application/x-www-form-urlencoded', 413],
  ['too much', `email=${'a'.repeat(20_000)}`, 'application/x-www-form-urlencoded', 413],
])('a form of %s is refused as a page', async (_what, body, type, status) => {
  await using world = await startLocal();
  const browser = new PlainBrowser(world.url);
  const answer = await browser.send('/sign-in', {
    method: 'POST',
    body,
    headers: { Origin: world.url, 'Content-Type': type },
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(browser.jar.size).toBe(0);
});

test.each([
  'https://attacker.example.com/',
  '//attacker.example.com',
  '/\\attacker.example.com',
  '\\\\attacker.example.com',
  '/..//attacker.example.com',
  '/%2e%2e//attacker.example.com',
  '/./\\attacker.example.com',
  '/\t/attacker.example.com',
  ' //attacker.example.com',
  'javascript:alert(1)',
  'data:text/html,x',
  'portal',
  '',
  '/portal\r\nSet-Cookie: session=x',
  '/sign-in?return_to=/sign-in',
  '/sign-out',
  `/portal?${'a'.repeat(3_000)}`,
])('a sign-in that is asked to return to "%s" returns to the portal', async (returnTo) => {
  await using world = await startLocal();
  const browser = new PlainBrowser(world.url);
  const posted = await browser.post('/sign-in', { email: 'ann@example.com', return_to: returnTo });
  expect([303, 400]).toContain(posted.status);
  if (posted.status === 303) expect(posted.location).toBe('/portal');
  const page = await browser.get(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  if (page.status === 200) expect(page.text).toContain('name="return_to" value="/portal"');
});

test('a sign-in returns to the page that asked for it, with its query', async () => {
  await using world = await startLocal();
  const path = '/cli/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A4321%2Fcallback&state=a%20b';
  const { location } = await new PlainBrowser(world.url).post('/sign-in', { email: 'a@example.com', return_to: path });
  expect(location).toBe(path);
});

test('every page is kept by nobody, framed by nobody, and loads nothing from elsewhere', async () => {
  await using world = await startLocal();
  const { browser } = await signedIn(world);
  for (const path of ['/portal', '/sign-in', '/sign-out', '/sign-in?return_to=%2F%2Fx', '/portal?x=<script>']) {
    const { headers, text } = await browser.get(path);
    expect(Object.fromEntries(headers), path).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=/);
  }
});
