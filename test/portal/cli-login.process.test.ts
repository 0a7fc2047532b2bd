import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlainBrowser } from '../support/browser.ts';
import { startHome, type Home, type Running } from '../support/cli.ts';
import { formOf } from './portal-form.ts';
import { smallDisk } from '../support/small-disk.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

/** A world where the page for development signs in, with a user of its org. */
async function startPortal(role = 'operator'): Promise<{ world: World; email: string } & AsyncDisposable> {
  const world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });
  const email = await invite(world, world.orgToken, role);
  return { world, email, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function invite(
  world: World,
  token: string,
  role: string,
  email = `kim@${randomBytes(4).toString('hex')}.example`,
) {
  expect((await world.call('POST', '/api/users', { token, body: { email, role } })).status).toBe(201);
  return email;
}

async function anotherOrg(world: World, name: string): Promise<{ id: string; token: string }> {
  const made = await world.call('POST', '/api/admin/orgs', { token: '', body: { name } });
  const approved = await world.call('POST', `/api/admin/orgs/${made.body.data.id}/approve`, { token: '' });
  return { id: made.body.data.id, token: approved.body.data.token };
}

/** The address that a client printed. */
async function addressOf(running: Running): Promise<string> {
  await running.sees('host=');
  await until(() => /https?:\/\/\S+host=\S*\s/.test(running.text()));
  return /https?:\/\/\S+\/cli\/authorize\S+/.exec(running.text())?.[0] ?? '';
}

/** Says yes, or something else, on the page; gives where the browser is sent, or the code that is shown. */
async function answer(browser: PlainBrowser, address: string, fields: Record<string, string> = {}): Promise<string> {
  const page = await browser.get(address);
  expect(page.status).toBe(200);
  const seen = await browser.post('/cli/authorize', { ...formOf(page), answer: 'yes', ...fields });
  if (seen.status === 303) return seen.location;
  expect(seen.status).toBe(200);
  return /id="code"[^>]*value="([^"]*)"/.exec(seen.text)?.[1] ?? '';
}

const saved = (home: Home) => readFile(join(home.config, 'credentials.toml'), 'utf8');
const nothingIsSaved = (home: Home) => expect(stat(join(home.config, 'credentials.toml'))).rejects.toThrow('ENOENT');

test('login sends the browser to the portal, takes the code that it brings and keeps the token', async () => {
  await using portal = await startPortal();
  const { world, email } = portal;
  await using home = await startHome();
  const running = home.start(['login', '--no-browser', '--base-url', world.url]);
  const address = await addressOf(running);
  expect(address.startsWith(`${world.url}/cli/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A`)).toBe(true);
  const browser = new PlainBrowser(world.url);
  const first = await browser.get(address);
  expect(first.status).toBe(303);
  const toSignIn = new URL(first.location, world.url);
  expect(toSignIn.pathname).toBe('/sign-in');
  expect(`${world.url}${toSignIn.searchParams.get('return_to') ?? ''}`).toBe(address);
  await browser.signInLocally(email);
  const location = await answer(browser, address, { label: 'my laptop', days: '7' });
  const callback = await fetch(location);
  expect(callback.status).toBe(200);
  const ended = await running.ended;
  expect(ended).toMatchObject({ code: 0, stdout: '' });
  expect(ended.stderr).toContain(`Signed in to ${world.url} as ${email} (operator) of local.\n`);
  const file = await saved(home);
  expect(file).toMatch(/^token = "svc_user_[0-9a-f]{64}"\nbase_url = /);
  expect((await home.cli(['whoami', '--fields', 'user_email,role'])).stdout).toBe(`${email}\toperator\n`);
  const { body } = await world.call('GET', '/api/tokens?kind=user');
  expect(body.items).toMatchObject([{ label: 'my laptop', kind: 'user' }]);
  const lifeMs = Date.parse(body.items[0].expires_at) - Date.now();
  expect(Math.round(lifeMs / 3_600_000)).toBe(7 * 24);
  const { body: audit } = await world.call('GET', '/api/audit?operation=signInClient');
  expect(audit.items).toMatchObject([{ actor_kind: 'user', object_id: body.items[0].id }]);
  // Neither the code nor the token stands anywhere but where it belongs.
  const code = new URL(location).searchParams.get('code') ?? '';
  const token = /svc_user_\w+/.exec(file)?.[0] ?? '';
  for (const secret of [code, token]) {
    expect(ended.stderr).not.toContain(secret);
    expect(world.lines.join('\n')).not.toContain(secret);
  }
});

test('the browser of the desktop is opened, without a shell and without the secrets of the client', async () => {
  await using portal = await startPortal();
  const { world, email } = portal;
  await using home = await startHome();
  const bin = join(home.path, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'xdg-open'), '#!/bin/sh\nenv > "$HOME/env"\nprintf "%s\\n" "$#" "$1" > "$HOME/asked"\n');
  await chmod(join(bin, 'xdg-open'), 0o755);
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    DISPLAY: ':1',
    SERVICE_ADMIN_TOKEN: 'not for the desktop',
  };
  const running = home.start(['login', '--base-url', world.url], { env });
  const address = await addressOf(running);
  await until(async () => (await readFile(join(home.path, 'asked'), 'utf8')) === `1\n${address}\n`);
  expect(await readFile(join(home.path, 'env'), 'utf8')).not.toContain('not for the desktop');
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  await fetch(await answer(browser, address));
  expect((await running.ended).code).toBe(0);
  expect((await running.ended).stderr).toContain('Sign in with the browser; if none opens, go to');

  await writeFile(join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n');
  const without = home.start(['login', '--base-url', world.url], { env });
  await without.sees('No browser could be opened');
  without.kill('SIGINT');
  const overSsh = home.start(['login', '--base-url', world.url], { env: { ...env, SSH_CONNECTION: '1 2 3 4' } });
  expect(await addressOf(overSsh)).toContain('display=code');
  expect(overSsh.text()).toContain('To sign in, open in a browser');
  overSsh.kill('SIGINT');
  expect((await overSsh.ended).code).toBe(130);
});

test('where the browser is on another machine, the code or the whole address is pasted', async () => {
  await using portal = await startPortal();
  const { world, email } = portal;
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  for (const way of ['code', 'yes']) {
    await using home = await startHome();
    const running = home.start(['login', '--no-browser', '--base-url', world.url]);
    const pasted = await answer(browser, await addressOf(running), { answer: way });
    expect(pasted).toMatch(way === 'code' ? /^[\w-]{43}$/ : /^http:\/\/127\.0\.0\.1:\d+\/callback\?code=/);
    running.type('what is this\n');
    await running.sees('not the code or the address');
    running.type(`${pasted}\n`); // and stdin stays open
    const ended = await running.ended;
    expect(ended.code).toBe(0);
    expect(await saved(home)).toContain('svc_user_');
  }
});

testWith('script')(
  'on a terminal a code can be pasted in any case, and Ctrl-C ends it with nothing saved',
  async () => {
    await using portal = await startPortal();
    const { world, email } = portal;
    const browser = new PlainBrowser(world.url);
    await browser.signInLocally(email);
    await using home = await startHome();
    const running = home.start(['login', '--base-url', world.url], { columns: 900 });
    const code = await answer(browser, await addressOf(running), { answer: 'code' });
    await running.sees('paste the code');
    running.type(`${code}\r`);
    expect((await running.ended).code).toBe(0);
    await home.cli(['logout']);
    const other = home.start(['login', '--base-url', world.url], { columns: 900 });
    await other.sees('paste the code');
    other.type('\u0003');
    expect((await other.ended).code).toBe(130);
    await nothingIsSaved(home);
  },
);

test('a no in the browser and the code of another sign-in save nothing', async () => {
  await using portal = await startPortal();
  const { world, email } = portal;
  await using home = await startHome();
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  const line = ['login', '--no-browser', '--base-url', world.url, '--json'];
  const refused = home.start(line);
  await fetch(await answer(browser, await addressOf(refused), { answer: 'no' }));
  const no = await refused.ended;
  expect(no.code).toBe(4);
  expect(JSON.parse(no.stdout)).toEqual({
    error: { code: 'unauthorized', message: 'the sign-in was refused in the browser' },
  });
  const [one, two] = [home.start(line), home.start(line)];
  const code = await answer(browser, await addressOf(one), { answer: 'code' });
  await addressOf(two);
  two.type(`${code}\n`);
  const other = await two.ended;
  expect(other.code).toBe(4);
  expect(other.stderr).toContain('the code is unknown, used or expired');
  one.type(`${code}\n`);
  expect((await one.ended).code).toBe(4);
  await nothingIsSaved(home);
  expect(await world.count('tokens')).toBe(1); // the org's own
});

testWith('mount')('where the token could not be kept nobody is sent to the browser', async () => {
  await using portal = await startPortal();
  using disk = smallDisk(1024 * 1024);
  await using home = await startHome({ HOME: disk.path });
  const line = ['login', '--no-browser', '--base-url', portal.world.url];
  disk.fill();
  const full = await home.cli(line);
  expect(full.code).toBe(1);
  expect(full.stderr).toContain('credentials.toml: ');
  expect(full.stderr).not.toContain('/cli/authorize');
  disk.empty();
  const running = home.start(line);
  await addressOf(running);
  expect(await readdir(join(disk.path, '.config', 'service'))).toEqual([]);
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
});

testWith('localhost')(
  'the address for the browser and that of the service may differ, and --json tells what was kept without the token',
  async () => {
    await using portal = await startPortal('viewer');
    const { world, email } = portal;
    await using home = await startHome();
    const browser = new PlainBrowser(world.url);
    await browser.signInLocally(email);
    const base = world.url.replace('127.0.0.1', 'localhost');
    const running = home.start([
      'login',
      '--no-browser',
      '--base-url',
      base,
      '--portal-url',
      `${world.url}/`,
      '--json',
    ]);
    await fetch(await answer(browser, await addressOf(running)));
    const ended = await running.ended;
    expect(JSON.parse(ended.stdout)).toEqual({
      data: { base_url: base, org_id: world.orgId, org_name: 'local', role: 'viewer' },
    });
    expect(await saved(home)).toContain(`base_url = "${base}"`);
  },
);

test('of several orgs one is chosen, on the page or by --org, and none of others', async () => {
  await using portal = await startPortal('admin');
  const { world, email } = portal;
  const second = await anotherOrg(world, 'second');
  await invite(world, second.token, 'viewer', email);
  const foreign = await anotherOrg(world, 'foreign');
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  await using home = await startHome();
  const line = ['login', '--no-browser', '--base-url', world.url];

  const chosen = home.start(line);
  await fetch(await answer(browser, await addressOf(chosen), { org_id: second.id }));
  expect((await chosen.ended).stderr).toContain(`as ${email} (viewer) of second.`);

  const named = home.start([...line, '--org', 'second']);
  const address = await addressOf(named);
  expect((await browser.get(address)).text).not.toContain(world.orgId);
  await fetch(await answer(browser, address));
  expect((await named.ended).stderr).toContain('(viewer) of second.');

  const both = home.start(line);
  const everywhere = await addressOf(both);
  expect((await browser.get(everywhere)).text).not.toContain(foreign.id);
  await fetch(await answer(browser, everywhere, { org_id: 'all' }));
  expect((await both.ended).stderr).toContain('The token is valid in 2 orgs. Select one in each command with --org.');
  for (const [org, role] of [
    ['local', 'admin'],
    [second.id, 'viewer'],
  ] as const)
    expect((await home.cli(['whoami', '--org', org, '--fields', 'role'])).stdout).toBe(`${role}\n`);
  expect((await home.cli(['sites', 'list'])).code).toBe(1);
  const { body: seen } = await world.call('GET', '/api/audit?operation=signInClient', { token: second.token });
  expect(seen.items).toHaveLength(3);

  const others = home.start([...line, '--org', 'foreign']);
  const asked = await addressOf(others);
  const unknown = asked.replace('org=foreign', 'org=unknown');
  const [theirs, nobodys] = [await browser.get(asked), await browser.get(unknown)];
  expect([theirs.status, nobodys.status]).toEqual([404, 404]);
  expect(theirs.text.replaceAll('foreign', 'unknown')).toBe(nobodys.text);
  const page = await browser.get(asked.replace('&org=foreign', ''));
  const forged = await browser.post('/cli/authorize', { ...formOf(page), answer: 'yes', org_id: foreign.id });
  expect(forged.status).toBe(404);
  others.kill('SIGINT');
  await others.ended;
});

test('login is over as soon as the answer is there, also where the browser keeps its connection', async () => {
  await using portal = await startPortal();
  const { world, email } = portal;
  await using home = await startHome();
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  const running = home.start(['login', '--no-browser', '--base-url', world.url]);
  const location = await answer(browser, await addressOf(running));
  const answeredAt = performance.now();
  const kept = request(location, { headers: { Connection: 'keep-alive' } }, (response) => response.pause());
  kept.on('error', () => undefined).end();
  expect((await running.ended).code).toBe(0);
  expect(performance.now() - answeredAt).toBeLessThan(4_500); // an idle connection is kept for 5 s
  kept.destroy();
});
