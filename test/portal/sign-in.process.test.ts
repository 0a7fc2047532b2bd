import { beforeAll, afterAll, expect, test } from 'vitest';
import { PlainBrowser } from '../support/browser.ts';
import { listen } from '../support/cli.ts';
import { callbackOf, signInAt, startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

let provider: OidcProvider;

beforeAll(async () => {
  provider = await startOidcProvider();
});
afterAll(() => provider.stop());

const startSigning = () => startIsolatedWorld({ env: provider.env });

let invited = 0;
/** A new user whom nobody has been yet, in the world's org. */
async function invite(world: World, prefix = '') {
  invited += 1;
  const email = `${prefix}person-${invited}@example.com`;
  const { body } = await world.call('POST', '/api/users', { body: { email, role: 'operator' } });
  return { email, id: body.data.id as string };
}

const personOf = async (world: World, userId: string): Promise<string | null> =>
  (await world.db<{ id: string; person_id: string | null }>('users').select('person_id').where({ id: userId }).first())
    ?.person_id ?? null;

test('a person who signs in at the provider becomes the user whom an admin invited, and sees the org and the role', async () => {
  await using world = await startSigning();
  const { email, id } = await invite(world);
  const browser = new PlainBrowser(world.url);
  const begun = await browser.get('/sign-in?return_to=%2Fportal%3Fa%3D1');
  const sent = new URL(begun.location);
  expect(Object.fromEntries(sent.searchParams)).toEqual({
    client_id: 'fleet',
    response_type: 'code',
    redirect_uri: `${world.url}/sign-in/callback`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  const back = await signInAt(provider, browser, email, '/sign-in?return_to=%2Fportal%3Fa%3D1');
  expect([back.status, back.location]).toEqual([303, '/portal?a=1']);
  const [cookie] = back.headers.getSetCookie().filter((line) => line.startsWith('session='));
  expect(cookie).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  expect([...browser.jar.keys()]).toEqual(['session']);
  const { text } = await browser.get('/portal');
  expect(text).toContain(`Hello, Person ${email}`);
  expect(text).toMatch(/<th scope="row">local<\/th>\s*<td>operator<\/td>/);
  expect(await personOf(world, id)).not.toBeNull();
  const { body } = await world.call('GET', `/api/audit?operation=acceptInvitation&object_id=${id}`);
  const request_id = back.headers.get('x-request-id');
  expect(request_id).not.toBeNull();
  expect(body.items).toMatchObject([
    { actor_kind: 'user', actor_id: id, object_kind: 'user', object_id: id, request_id },
  ]);
});

test('the value of a session is kept nowhere but in the browser, and neither it nor what the provider gave is logged', async () => {
  await using world = await startSigning();
  const { email } = await invite(world);
  const browser = new PlainBrowser(world.url);
  const callback = await callbackOf(browser, provider, email);
  await browser.get(callback);
  const secrets = [browser.jar.get('session') ?? '', new URL(callback).searchParams.get('code') ?? ''];
  const { rows } = await world.db.raw<{ rows: object[] }>('select s.*, p.* from portal_sessions s, people p');
  const kept = JSON.stringify(rows) + world.lines.join('\n');
  for (const secret of [...secrets, 'secret-of-the-tests'])
    expect([secret.length > 10, kept.includes(secret)]).toEqual([true, false]);
});

test.each([
  ['not verified', 'unverified-'],
  ['verified by a text and not by true', 'says-so-'],
])('an address that is %s accepts no invitation', async (_what, prefix) => {
  await using world = await startSigning();
  const { email, id } = await invite(world, prefix);
  const browser = new PlainBrowser(world.url);
  expect((await signInAt(provider, browser, email)).status).toBe(303);
  expect((await browser.get('/portal')).text).toContain('You do not belong to an organization yet');
  expect(await personOf(world, id)).toBeNull();
});

test('a user who is somebody stays so: another subject with the same verified address gets nothing', async () => {
  await using world = await startSigning();
  const { email, id } = await invite(world);
  await signInAt(provider, new PlainBrowser(world.url), email);
  const person = await personOf(world, id);
  const other = new PlainBrowser(world.url);
  await signInAt(provider, other, `${email}#2`);
  expect((await other.get('/portal')).text).toContain('You do not belong to an organization yet');
  expect(await personOf(world, id)).toBe(person);
});

test('a person whose address is written otherwise is the same one, and of two who come at once with one address one is it', async () => {
  await using world = await startSigning();
  const { email, id } = await invite(world);
  const logins = [email.toUpperCase(), `${email}#2`, `${email}#3`];
  const browsers = logins.map(() => new PlainBrowser(world.url));
  const callbacks = await Promise.all(
    browsers.map((browser, index) => callbackOf(browser, provider, logins[index] ?? '')),
  );
  const answers = await Promise.all(browsers.map((browser, index) => browser.get(callbacks[index] ?? '')));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await personOf(world, id)).not.toBeNull();
  const pages = await Promise.all(browsers.map((browser) => browser.get('/portal')));
  expect(pages.filter(({ text }) => text.includes('<th scope="row">local</th>'))).toHaveLength(1);
});

test.each<[string, (callback: URL) => void]>([
  ['another code', (url) => url.searchParams.set('code', 'B'.repeat(43))],
  ['no code', (url) => url.searchParams.delete('code')],
  ['two codes', (url) => url.searchParams.append('code', 'B'.repeat(43))],
  ['another issuer', (url) => url.searchParams.set('iss', 'https://provider.example.com')],
  ['no issuer', (url) => url.searchParams.delete('iss')],
])('a callback with %s signs nobody in, and the sign-in is over', async (_what, spoil) => {
  await using world = await startSigning();
  const { email } = await invite(world);
  const browser = new PlainBrowser(world.url);
  const callback = new URL(await callbackOf(browser, provider, email));
  const good = callback.href;
  const value = browser.jar.get('sign_in') ?? '';
  spoil(callback);
  expect((await browser.get(callback.href)).status).toBe(400);
  expect(browser.jar.size).toBe(0);
  browser.jar.set('sign_in', value);
  expect((await browser.get(good)).status).toBe(400);
  expect(browser.jar.has('session')).toBe(false);
});

test.each<[string, (callback: URL) => void]>([
  ['another state', (url) => url.searchParams.set('state', 'A'.repeat(43))],
  ['no state', (url) => url.searchParams.delete('state')],
  ['two states', (url) => url.searchParams.append('state', url.searchParams.get('state') ?? '')],
])('a callback with %s signs nobody in, and the sign-in that the browser began goes on', async (_what, spoil) => {
  await using world = await startSigning();
  const { email } = await invite(world);
  const browser = new PlainBrowser(world.url);
  const callback = new URL(await callbackOf(browser, provider, email));
  const good = callback.href;
  spoil(callback);
  expect((await browser.get(callback.href)).status).toBe(400);
  expect(browser.jar.has('session')).toBe(false);
  expect((await browser.get(good)).status).toBe(303);
});

test('of two tabs that sign in at once, the one that began last signs in, whichever comes back first', async () => {
  await using world = await startSigning();
  const { email } = await invite(world);
  const browser = new PlainBrowser(world.url);
  const [first, last] = [await callbackOf(browser, provider, email), await callbackOf(browser, provider, email)];
  expect((await browser.get(first)).status).toBe(400);
  expect((await browser.get(last)).status).toBe(303);
  expect((await browser.get('/portal')).status).toBe(200);
});

test('the answer of the provider counts once, and only in the browser that was sent there', async () => {
  await using world = await startSigning();
  const { email } = await invite(world);
  const [browser, victim] = [new PlainBrowser(world.url), new PlainBrowser(world.url)];
  const callback = await callbackOf(browser, provider, email);
  // Somebody else's answer, fed to a browser without a sign-in of its own, and to one with.
  expect((await victim.get(callback)).status).toBe(400);
  await victim.get('/sign-in');
  expect((await victim.get(callback)).status).toBe(400);
  expect(victim.jar.has('session')).toBe(false);
  const value = browser.jar.get('sign_in') ?? '';
  expect((await browser.get(callback)).status).toBe(303);
  const again = new PlainBrowser(world.url);
  again.jar.set('sign_in', value);
  expect((await again.get(callback)).status).toBe(400);
  expect(again.jar.has('session')).toBe(false);
});

test.each(['nonce', 'signature', 'userinfo'] as const)(
  'an ID token or an answer with a wrong %s signs nobody in',
  async (mode) => {
    await using world = await startSigning();
    const { email } = await invite(world);
    const browser = new PlainBrowser(world.url);
    await provider.spoil(mode);
    try {
      const { status, text } = await signInAt(provider, browser, email);
      expect(status).toBe(400);
      expect(text).toContain('this sign-in is not valid');
    } finally {
      await provider.spoil('none');
    }
    expect(browser.jar.has('session')).toBe(false);
  },
);

test('a client that the provider refuses is told as ours to mend, and logged', async () => {
  await using world = await startSigning();
  await provider.spoil('refuse');
  try {
    const { status } = await signInAt(provider, new PlainBrowser(world.url), 'ann@example.com');
    expect(status).toBe(503);
  } finally {
    await provider.spoil('none');
  }
  expect(world.lines.join('\n')).toMatch(/"reason":"OAUTH_WWW_AUTHENTICATE_CHALLENGE"/);
});

test('a person whom the provider does not sign in, or who has no address there, reads so', async () => {
  await using world = await startSigning();
  const refused = await signInAt(provider, new PlainBrowser(world.url), 'refused');
  expect([refused.status, refused.text.includes('(access_denied)')]).toEqual([403, true]);
  const nameless = await signInAt(provider, new PlainBrowser(world.url), 'nameless');
  expect([nameless.status, nameless.text.includes('no email address')]).toEqual([403, true]);
});

testWith('localhost')(
  'a sign-in by another name of this machine goes on under the one that the provider knows',
  async () => {
    await using world = await startSigning();
    const browser = new PlainBrowser(world.url.replace('127.0.0.1', 'localhost'));
    const { status, location } = await browser.get('/sign-in?return_to=%2Fportal');
    expect([status, location]).toEqual([303, `${world.url}/sign-in?return_to=%2Fportal`]);
  },
);

test('nobody signs in by an address alone where there is a provider', async () => {
  await using world = await startSigning();
  const browser = new PlainBrowser(world.url);
  expect((await browser.signInLocally('ann@example.com')).status).toBe(404);
  expect(browser.jar.size).toBe(0);
});

test('one address may begin thirty sign-ins at once, and is told to wait then', async () => {
  await using other = await startIsolatedWorld({ env: provider.env });
  const browser = new PlainBrowser(other.url);
  const answers = [];
  for (let index = 0; index < 40; index += 1) answers.push(await browser.get('/sign-in'));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.at(-1)?.headers.get('retry-after')).toBe('1');
  expect(answers.slice(0, 30).every(({ status }) => status === 303)).toBe(true);
});

test('a provider that is away is told as a page, and asked again at the next sign-in', async () => {
  const gone = await startOidcProvider();
  await gone.stop();
  await using other = await startIsolatedWorld({ env: gone.env });
  const browser = new PlainBrowser(other.url);
  const away = await browser.get('/sign-in');
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '10']);
  expect(away.text).toContain('the identity provider does not respond');
  await using back = await startOidcProvider(gone.port);
  expect((await signInAt(back, browser, 'ann@example.com')).status).toBe(303);
  expect((await browser.get('/portal')).status).toBe(200);
});

test('a provider whose answer has no end is cut off, and its answer is not held in memory', async () => {
  let sentBytes = 0;
  await using endless = await listen((_request, response) => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const more = () => {
      do sentBytes += piece.length;
      while (response.write(piece));
    };
    response.on('drain', more).on('error', () => undefined);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    more();
  });
  await using world = await startIsolatedWorld({ env: { ...provider.env, OIDC_ISSUER: endless.url } });
  const { status, text } = await new PlainBrowser(world.url).get('/sign-in');
  expect(status).toBe(503);
  expect(text).toContain('the identity provider does not respond');
  expect(sentBytes).toBeLessThan(32 * 1024 * 1024); // what the sockets on the way take
});

test('behind https the cookies are of this host alone', async () => {
  await using other = await startIsolatedWorld({
    env: { ...provider.env, SERVICE_PUBLIC_URL: 'https://fleet.example.com' },
  });
  const browser = new PlainBrowser(other.url);
  const begun = await browser.get('/sign-in');
  expect(new URL(begun.location).searchParams.get('redirect_uri')).toBe('https://fleet.example.com/sign-in/callback');
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/),
  ]);
  const { searchParams, pathname } = new URL(await callbackOf(browser, provider, 'ann@example.com'));
  const back = await browser.get(`${pathname}?${searchParams.toString()}`);
  expect(back.headers.getSetCookie().at(-1)).toMatch(
    /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  // A form must come from the public origin, not from where the proxy reaches us.
  const csrf = await browser.csrf();
  expect((await browser.post('/sign-out', { csrf })).status).toBe(403);
  expect((await browser.post('/sign-out', { csrf }, { Origin: 'https://fleet.example.com' })).status).toBe(303);
});
