import { expect } from 'vitest';
import { faultsOf, openChromium, picture, testInBrowser, watchPage } from '../support/chromium.ts';
import { factories } from '../support/factories.ts';
import { startOidcProvider } from '../support/oidc-provider.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

/** A user of the world's org and of another one that waits for approval. */
async function inviteTwice(world: World, email: string): Promise<void> {
  await world.call('POST', '/api/users', { body: { email, role: 'operator' } });
  await world.db.raw(
    `insert into orgs (id, name, status) values (gen_random_uuid(), 'Warehouse "north" & <co>', 'pending')`,
  );
  await world.db.raw(
    `insert into users (org_id, id, email, role) select id, gen_random_uuid(), ?, 'viewer' from orgs where status = 'pending'`,
    [email],
  );
}

testInBrowser(
  'a person signs in at the provider in a real browser, chooses an org and signs out, by the keyboard alone',
  async () => {
    await using provider = await startOidcProvider();
    await using world = await startIsolatedWorld({ env: provider.env });
    await inviteTwice(world, 'ann@example.com');
    await using browser = await openChromium();
    const page = await browser.newPage();
    const { foreign, complaints } = watchPage(page, [world.url, provider.issuer]);

    await page.goto(`${world.url}/portal?from=a+link`);
    await page.getByLabel('Login').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hello, Person ann@example.com' }).waitFor();
    expect(page.url()).toBe(`${world.url}/portal?from=a+link`);
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'home');

    const tabTo = async (name: string) => {
      const target = page.getByRole('button', { name });
      for (let steps = 0; steps < 20; steps += 1) {
        await page.keyboard.press('Tab');
        if ((await target.and(page.locator(':focus')).count()) > 0) return;
      }
      throw new Error(`the button ${name} is out of reach`);
    };
    await tabTo('Choose Warehouse "north" & <co>');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Warehouse .*chosen/ }).waitFor();
    await tabTo('Sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect((await page.context().cookies(world.url)).filter(({ name }) => name === 'session')).toEqual([]);
    // At the provider she is signed in still, so the way back asks for nothing.
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Hello, Person ann@example.com' }).waitFor();
    expect([foreign, complaints]).toEqual([[], []]);
  },
);

testInBrowser('the pages of a sign-in for development and of refusals are sound for everybody', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });
  await using browser = await openChromium();
  const page = await browser.newPage();
  const { foreign, complaints } = watchPage(page, [world.url]);
  await page.goto(`${world.url}/sign-in`);
  await page.getByRole('note').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(`${world.url}/docs/roles`);
  await page.getByRole('heading', { name: 'Roles and permissions' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await picture(page, 'roles');
  await page.goto(`${world.url}/sign-in`);
  await picture(page, 'sign-in');
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You do not belong to an organization yet').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await picture(page, 'no-org');
  await page.getByLabel('Its name').fill('Osaka Logistics');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('You requested Osaka Logistics').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await picture(page, 'org-asked');

  // A page that somebody left open until the session was over.
  await page.goto(`${world.url}/portal`);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 600 });
  await page.goto(`${world.url}/sign-in`);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  expect([foreign, complaints]).toEqual([[], []]);
});

testInBrowser(
  'an admin invites somebody and makes a token in a real browser, on pages that are sound for everybody',
  async () => {
    await using world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });
    await world.call('POST', '/api/users', { body: { email: 'ann@example.com', role: 'admin' } });
    await using browser = await openChromium();
    const page = await browser.newPage();
    const { foreign, complaints } = watchPage(page, [world.url]);
    await page.goto(`${world.url}/portal/users`);
    await page.getByLabel('Email address').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Users of local' }).waitFor();
    await page.getByLabel('Email address').fill('bob@example.com');
    await page.getByLabel('Role', { exact: true }).selectOption('operator');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('combobox', { name: 'Role of bob@example.com' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Role of bob@example.com' }).inputValue()).toBe('operator');
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'users');

    await page.getByRole('link', { name: 'Issue a token to bob@example.com' }).click();
    await page.getByRole('heading', { name: 'A token for bob@example.com' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'user-token');
    await page.goto(`${world.url}/portal/users`);
    await page.getByRole('link', { name: 'Remove bob@example.com' }).click();
    await page.getByRole('heading', { name: 'Remove bob@example.com?' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'user-remove');

    await page.getByRole('link', { name: 'Your tokens' }).click();
    await page.getByText('You have no valid tokens.').waitFor();
    await picture(page, 'tokens-none');
    await page.getByLabel('Purpose').fill('laptop');
    await page.getByRole('button', { name: 'Make it' }).click();
    const value = await page.locator('#value').innerText();
    expect(await faultsOf(page)).toEqual([]);
    expect((await world.call('GET', '/api/whoami', { token: value })).status).toBe(200);
    await picture(page, 'token-made');
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke laptop' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'tokens');
    await page.getByLabel('Purpose').fill('build server, for the nightly robots');
    await page.getByLabel('Valid for').selectOption('0');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByRole('button', { name: 'Revoke laptop' }).waitFor({ state: 'detached' });
    await picture(page, 'tokens-more');
    await page.setViewportSize({ width: 320, height: 600 });
    for (const path of ['', '/tokens', '/users']) {
      await page.goto(`${world.url}/portal${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(320);
    }
    expect([foreign, complaints]).toEqual([[], []]);
  },
);

testInBrowser('the pages that are only read are sound for everybody, on a phone too', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });
  const { body: ann } = await world.call('POST', '/api/users', { body: { email: 'ann@example.com', role: 'admin' } });
  const token = await world.call('POST', `/api/users/${ann.data.id}/tokens`, { body: { label: 'laptop' } });
  await world.call('POST', `/api/tokens/${token.body.data.id}/revoke`);
  const made = factories(world);
  const lineKey = await made.key({ label: 'line 2', max_uses: 20, expires_in_hours: 24 });
  await made.key({ label: 'workshop' });
  await world.call('POST', `/api/enrollment-keys/${lineKey.id}/revoke`);
  await made.key({ max_uses: 1 });
  await using browser = await openChromium();
  const page = await browser.newPage();
  const { foreign, complaints } = watchPage(page, [world.url]);
  await page.goto(`${world.url}/portal/tokens`);
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.keyboard.press('Enter');
  for (const [link, path, name] of [
    ['Expired and revoked tokens', '/tokens/ended', 'tokens-ended'],
    ['Enrollment keys', '/enrollment-keys', 'enrollment-keys'],
    ['Audit log', '/audit', 'audit'],
  ] as const) {
    await page.getByRole('link', { name: link }).click();
    await page.waitForURL(`${world.url}/portal${path}`);
    await page.getByRole('table').waitFor();
    expect(await faultsOf(page), name).toEqual([]);
    await picture(page, name);
  }
  await page.getByText('What changed').first().click();
  await picture(page, 'audit-open');
  await page.goto(`${world.url}/portal/users/remove?id=x`);
  await picture(page, 'failure');
  await page.setViewportSize({ width: 320, height: 600 });
  for (const path of ['/tokens/ended', '/enrollment-keys', '/audit']) {
    await page.goto(`${world.url}/portal${path}`);
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(320);
  }
  expect([foreign, complaints]).toEqual([[], []]);
});

testInBrowser('a form of another site signs nobody in or out', async () => {
  await using world = await startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });
  await using browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(`${world.url}/sign-in`);
  await page.getByLabel('Email address').fill('ann@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You do not belong to an organization yet').waitFor();
  for (const [path, fields] of [
    ['/sign-in', '<input name="email" value="attacker@example.com">'],
    ['/sign-out', '<input name="csrf" value="x">'],
  ] as const) {
    const action = world.url.replace('127.0.0.1', 'localhost') + path;
    await page.goto('about:blank');
    await page.setContent(`<form method="post" action="${action}">${fields}<button>Win</button></form>`);
    await page.getByRole('button', { name: 'Win' }).click();
    await page.waitForURL(action);
    expect(await page.title()).toMatch(/Not allowed|You are signed out/);
  }
  await page.goto(`${world.url}/portal`);
  await page.getByRole('heading', { name: 'Hello, ann@example.com' }).waitFor();
});
