import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { PlainBrowser } from '../support/browser.ts';
import { formOf } from './portal-form.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const redirectUri = 'http://127.0.0.1:4711/callback';
const question = {
  redirect_uri: redirectUri,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 's'.repeat(22),
  host: 'a laptop',
};
type Fields = Record<string, string | undefined>;

const place = (fields: Fields) =>
  `/cli/authorize?${new URLSearchParams(JSON.parse(JSON.stringify(fields)) as Record<string, string>).toString()}`;

/** A world behind a proxy on this machine, so that each attacker can have an address of their own. */
const startPortal = () => startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '', TRUST_PROXY: '127.0.0.1' } });

/** Somebody with a session, which only people without a proxy before them get here. */
async function signedIn(world: World, role = 'operator', email = 'kim@example.com'): Promise<PlainBrowser> {
  await world.call('POST', '/api/users', { body: { email, role } });
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  return browser;
}

async function codeOf(browser: PlainBrowser, more: Record<string, string> = {}): Promise<string> {
  const form = formOf(await browser.get(place(question)));
  const { location } = await browser.post('/cli/authorize', { ...form, ...more, answer: 'yes' });
  const { origin, pathname, searchParams } = new URL(location);
  expect([`${origin}${pathname}`, searchParams.get('state')]).toEqual([redirectUri, question.state]);
  return searchParams.get('code') ?? '';
}

interface Exchange {
  status: number;
  headers: Headers;
  body: { data?: { token: string; org_id: string; expires_at: string }; error?: { code: string; message: string } };
}

/** Each from an address of its own, unless one is given. */
async function exchange(
  world: World,
  body: unknown,
  more: { method?: string; headers?: Fields } = {},
): Promise<Exchange> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Forwarded-For': [10, ...randomBytes(3)].join('.'),
    ...more.headers,
  };
  const response = await fetch(`${world.url}/cli/token`, {
    method: more.method ?? 'POST',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
    ...(more.method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Exchange['body'] };
}

const redirects = [
  ['the name localhost', 'http://localhost:4711/callback'],
  ['another host', 'http://evil.example/callback'],
  ['https', 'https://127.0.0.1:4711/callback'],
  ['another loopback address', 'http://127.0.0.2:4711/callback'],
  ['a short form of the address', 'http://127.1:4711/callback'],
  ['the address as a number', 'http://2130706433:4711/callback'],
  ['an IPv6 address', 'http://[::1]:4711/callback'],
  ['no port', 'http://127.0.0.1/callback'],
  ['port 0', 'http://127.0.0.1:0/callback'],
  ['a port beyond the last', 'http://127.0.0.1:65536/callback'],
  ['a port with a zero before', 'http://127.0.0.1:04711/callback'],
  ['another path', 'http://127.0.0.1:4711/other'],
  ['a longer path', 'http://127.0.0.1:4711/callback/x'],
  ['a way up', 'http://127.0.0.1:4711/x/../callback'],
  ['a query', 'http://127.0.0.1:4711/callback?next=http://evil.example'],
  ['a fragment', 'http://127.0.0.1:4711/callback#x'],
  ['userinfo', 'http://127.0.0.1:4711@evil.example/callback'],
  ['userinfo with a password', 'http://kim:x@127.0.0.1:4711/callback'],
  ['a name that begins like the address', 'http://127.0.0.1.evil.example:4711/callback'],
  ['a backslash', 'http://127.0.0.1:4711\\@evil.example/callback'],
  ['no scheme', '//127.0.0.1:4711/callback'],
  ['a script', 'javascript:alert(1)//127.0.0.1:4711/callback'],
  ['a line break', 'http://127.0.0.1:4711/callback\r\nX-Evil: 1'],
  ['capitals', 'HTTP://127.0.0.1:4711/callback'],
  ['a space before', ' http://127.0.0.1:4711/callback'],
  ['nothing', ''],
] as const;

const questions: [name: string, change: Fields][] = [
  ...redirects.map(([name, uri]): [string, Fields] => [`redirect: ${name}`, { redirect_uri: uri }]),
  ['no redirect', { redirect_uri: undefined }],
  ['no challenge', { code_challenge: undefined }],
  ['a short challenge', { code_challenge: challenge.slice(1) }],
  ['a challenge of other signs', { code_challenge: `${challenge.slice(1)}+` }],
  ['plain PKCE', { code_challenge_method: 'plain' }],
  ['no method', { code_challenge_method: undefined }],
  ['no state', { state: undefined }],
  ['a state that can be guessed', { state: 's' }],
  ['a state with a line break', { state: `${'s'.repeat(22)}\r\nX-Evil: 1` }],
  ['a host of control characters', { host: '\u202eevil' }],
  ['a host without end', { host: 'h'.repeat(65) }],
  ['another display', { display: 'none' }],
];

test('a question that is not as a client asks it is refused on a page, and the browser is never sent on', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const form = formOf(await browser.get(place(question)));
  for (const [name, change] of questions) {
    const asked = await browser.get(place({ ...question, ...change }));
    expect([name, asked.status, asked.location]).toEqual([name, 400, '']);
    expect(asked.headers.get('content-security-policy')).toContain("form-action 'self';");
    const { answer, ...fields } = { ...form, ...change, answer: 'yes' };
    for (const said of [answer, 'no', 'code']) {
      const sent = JSON.parse(JSON.stringify({ ...fields, answer: said })) as Record<string, string>;
      const posted = await browser.post('/cli/authorize', sent);
      expect([name, posted.status, posted.location]).toEqual([name, 400, '']);
    }
  }
  for (const doubled of ['redirect_uri=http://evil.example', 'state=x', 'code_challenge_method=plain', 'org=x&org=y']) {
    expect([doubled, (await browser.get(`${place(question)}&${doubled}`)).status]).toEqual([doubled, 400]);
    expect([doubled, (await browser.get(place(question).replace('?', `?${doubled}&`))).status]).toEqual([doubled, 400]);
  }
  expect(await world.count('sign_in_codes')).toBe(0);
});

test('what a client says of itself and of orgs is text on the page, never markup', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const { text } = await browser.get(place({ ...question, host: '"><script>alert(1)</script>' }));
  expect(text).not.toContain('<script');
  expect(text).toContain('&lt;script&gt;');
  expect((await browser.get(place({ ...question, org: '<script>' }))).text).not.toContain('<script');
});

test('only a form of the session itself lets a client in', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const form = { ...formOf(await browser.get(place(question))), answer: 'yes' };
  const stranger = await signedIn(world, 'viewer', 'lee@example.com');
  const theirs = formOf(await stranger.get(place(question)));
  const attacks: [string, number, Record<string, string>, Record<string, string>?][] = [
    ['another origin', 403, form, { Origin: 'https://evil.example' }],
    ['a sandbox', 403, form, { Origin: 'null' }],
    ['another site', 403, form, { 'Sec-Fetch-Site': 'cross-site' }],
    ['another port of this host', 403, form, { Origin: 'http://127.0.0.1:1' }],
    ['neither header', 403, form, { Origin: '', 'Sec-Fetch-Site': '' }],
    ['no token of the session', 403, { ...form, csrf: '' }],
    ['that of another session', 403, { ...form, csrf: theirs['csrf'] ?? '' }],
    ['no answer', 400, { ...form, answer: '' }],
    ['another answer', 400, { ...form, answer: 'maybe' }],
    ['a life that is not offered', 400, { ...form, days: '36500' }],
    ['no name', 400, { ...form, label: '' }],
    ['a name without end', 400, { ...form, label: 'x'.repeat(129) }],
    ['no org', 404, { ...form, org_id: '' }],
    ['an org of nobody', 404, { ...form, org_id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01' }],
  ];
  for (const [name, status, fields, headers] of attacks) {
    const sent = await browser.post('/cli/authorize', fields, headers ?? {});
    expect([name, sent.status, sent.location]).toEqual([name, status, '']);
  }
  const without = await new PlainBrowser(world.url).post('/cli/authorize', form);
  expect([without.status, without.location]).toEqual([401, '']);
  expect(await world.count('sign_in_codes')).toBe(0);
  // A frame of another page gets nothing to click on.
  const { headers } = await browser.get(place(question));
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('content-security-policy')).toContain(`form-action 'self' ${redirectUri};`);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a proof that is not as a client brings it is refused, and takes no code', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const good = { code: await codeOf(browser), code_verifier: verifier, redirect_uri: redirectUri };
  const bodies: [string, unknown][] = [
    ['nothing', ''],
    ['no object', '[]'],
    ['no JSON', 'code=x'],
    ['no fields', {}],
    ['no code', { ...good, code: undefined }],
    ['an empty code', { ...good, code: '' }],
    ['a code that is a list', { ...good, code: [good.code] }],
    ['no verifier', { ...good, code_verifier: undefined }],
    ['a verifier that is none', { ...good, code_verifier: null }],
    ['a short verifier', { ...good, code_verifier: 'v'.repeat(42) }],
    ['a long verifier', { ...good, code_verifier: 'v'.repeat(129) }],
    ['a verifier of other signs', { ...good, code_verifier: `${'v'.repeat(42)}\u0000` }],
    ['no redirect', { ...good, redirect_uri: undefined }],
    ['a redirect elsewhere', { ...good, redirect_uri: 'http://evil.example/callback' }],
    ['more than is asked for', { ...good, grant_type: 'authorization_code' }],
    ['a name of JavaScript', `{"__proto__":{},"code":"${good.code}"}`],
  ];
  for (const [name, body] of bodies) {
    const refused = await exchange(world, body);
    expect([name, refused.status, refused.body.error?.code]).toEqual([name, 400, 'bad_request']);
  }
  const form = await exchange(world, new URLSearchParams(good).toString(), {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect(form.status).toBe(415);
  const simple = await exchange(world, good, { headers: { 'Content-Type': 'text/plain' } });
  expect(simple.status).toBe(415); // what a page of another origin could send without asking
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const other = await exchange(world, good, { method });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
  }
  expect((await exchange(world, 'x'.repeat(17_000))).status).toBe(413);
  const asked = await fetch(`${world.url}/cli/token`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
  });
  expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  const given = await exchange(world, good, { headers: { Origin: 'https://evil.example', Cookie: 'session=x' } });
  expect(given.status).toBe(200);
  expect(given.headers.get('access-control-allow-origin')).toBeNull();
  expect(given.headers.get('set-cookie')).toBeNull();
  expect(given.headers.get('cache-control')).toBe('no-store');
});

test('a code is for who asked for it, once, for a minute; tried wrongly it is gone', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const wrong: [string, (code: string) => Promise<Fields> | Fields][] = [
    ['an unknown code', () => ({ code: randomBytes(32).toString('base64url') })],
    ['a code of another form', () => ({ code: `svc_user_${'0'.repeat(64)}` })],
    ['another verifier', (code) => ({ code, code_verifier: 'w'.repeat(43) })],
    ['the challenge as the verifier', (code) => ({ code, code_verifier: challenge })],
    ['another port', (code) => ({ code, redirect_uri: 'http://127.0.0.1:4712/callback' })],
    [
      'a code that is too old',
      async (code) => {
        await world.db('sign_in_codes').update({ expires_at: world.db.raw("now() - interval '1 ms'") });
        return { code };
      },
    ],
    [
      'somebody who was removed meanwhile',
      async (code) => {
        await world.db('users').update({ person_id: null });
        return { code };
      },
    ],
  ];
  const answers = new Set<string>();
  for (const [name, make] of wrong) {
    const code = await codeOf(browser);
    const good = { code, code_verifier: verifier, redirect_uri: redirectUri };
    const refused = await exchange(world, { ...good, ...(await make(code)) });
    expect([name, refused.status]).toEqual([name, 401]);
    answers.add(JSON.stringify(refused.body));
    if (name.startsWith('an unknown') || name.startsWith('a code of')) continue;
    expect([name, (await exchange(world, good)).status]).toEqual([name, 401]);
  }
  expect([...answers]).toHaveLength(1); // nobody is told what was wrong
  expect(await world.count('tokens')).toBe(1); // the org's own
});

test('a code that comes again ends the token that it gave, everywhere', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const proof = { code: await codeOf(browser), code_verifier: verifier, redirect_uri: redirectUri };
  const { body } = await exchange(world, proof);
  const token = body.data?.token ?? '';
  expect(body.data?.org_id).toBe(world.orgId);
  expect((await world.call('GET', '/api/whoami', { token })).status).toBe(200);
  expect((await exchange(world, { ...proof, code_verifier: 'w'.repeat(43) })).status).toBe(401);
  expect((await world.call('GET', '/api/whoami', { token })).status).toBe(401);
  const { body: audit } = await world.call('GET', '/api/audit');
  expect(audit.items.slice(-2)).toMatchObject([
    { operation: 'signInClient', actor_kind: 'user' },
    { operation: 'revokeReusedSignIn', actor_kind: 'system', object_id: audit.items.at(-2).object_id },
  ]);
});

test('so does one of a token for several orgs, in each of them', async () => {
  await using world = await startPortal();
  const made = await world.call('POST', '/api/admin/orgs', { token: '', body: { name: 'second' } });
  const second = await world.call('POST', `/api/admin/orgs/${made.body.data.id}/approve`, { token: '' });
  const body = { email: 'kim@example.com', role: 'viewer' };
  await world.call('POST', '/api/users', { token: second.body.data.token, body });
  const browser = await signedIn(world);
  const proof = {
    code: await codeOf(browser, { org_id: 'all' }),
    code_verifier: verifier,
    redirect_uri: redirectUri,
  };
  const { token = '', org_id: one } = (await exchange(world, proof)).body.data ?? {};
  expect(one).toBeUndefined();
  const statuses = () =>
    Promise.all(
      [world.orgId, made.body.data.id].map(
        async (id) => (await world.call('GET', '/api/sites', { token, headers: { 'X-Service-Org-Id': id } })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200]);
  expect((await exchange(world, proof)).status).toBe(401);
  expect(await statuses()).toEqual([401, 401]);
});

test('of many who bring one code at the same instant one gets a token, and that is revoked', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const proof = { code: await codeOf(browser), code_verifier: verifier, redirect_uri: redirectUri };
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(world, proof)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
  expect((await world.call('GET', '/api/whoami', { token: given[0]?.body.data?.token })).status).toBe(401);
});

test('who tries codes is stopped, and others behind other addresses are not', async () => {
  await using world = await startPortal();
  const browser = await signedIn(world);
  const guess = () => ({
    code: randomBytes(32).toString('base64url'),
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  const headers = { 'X-Forwarded-For': '192.0.2.7' };
  const statuses: number[] = [];
  for (let tries = 0; tries < 12; tries += 1) statuses.push((await exchange(world, guess(), { headers })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  const stopped = await exchange(world, guess(), { headers });
  expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
  const good = { ...guess(), code: await codeOf(browser) };
  expect((await exchange(world, good)).status).toBe(200);
  const alike = { ...guess(), code: await codeOf(browser) };
  expect((await exchange(world, alike, { headers })).status).toBe(200); // a good one goes on from there too
});
