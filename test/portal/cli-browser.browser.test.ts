import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { faultsOf, openChromium, picture, testInBrowser, watchPage } from '../support/chromium.ts';
import { startHome, type Running } from '../support/cli.ts';
import { startOidcProvider } from '../support/oidc-provider.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld } from '../support/world.ts';

async function addressOf(running: Running): Promise<string> {
  await until(() => /\/cli\/authorize\S+\s/.test(running.text()));
  return /https?:\/\/\S+\/cli\/authorize\S+/.exec(running.text())?.[0] ?? '';
}

testInBrowser(
  'in a real browser: from `cli login` over the provider to the first command, by the keyboard alone, and nothing leaves this machine',
  async () => {
    await using provider = await startOidcProvider();
    await using world = await startIsolatedWorld({ env: provider.env });
    await world.call('POST', '/api/users', { body: { email: 'ann@example.com', role: 'operator' } });
    await using home = await startHome();
    await using browser = await openChromium();
    const page = await browser.newPage();
    const running = home.start(['login', '--no-browser', '--base-url', world.url]);
    const address = await addressOf(running);
    const client = new URL(new URL(address).searchParams.get('redirect_uri') ?? '').origin;
    const { foreign, complaints } = watchPage(page, [world.url, provider.issuer, client]);
    const told: string[] = [];
    page.on('request', (request) => {
      const { referer } = request.headers();
      if (request.url().startsWith(client) && referer !== undefined) told.push(referer);
    });

    await page.goto(address);
    await page.getByLabel('Login').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Sign in the command line on / }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'cli-authorize');
    await page.getByLabel('Name of the token').focus();
    await page.keyboard.press('Enter'); // the first button of the form
    await page.getByRole('heading', { name: 'Back to the terminal' }).waitFor();
    const answeredAt = performance.now();
    expect((await running.ended).code).toBe(0);
    expect(performance.now() - answeredAt).toBeLessThan(4_500); // an idle connection is kept for 5 s
    expect(await faultsOf(page)).toEqual([]);
    expect(await readFile(join(home.config, 'credentials.toml'), 'utf8')).toContain('svc_user_');
    expect((await home.cli(['sites', 'list'])).code).toBe(0);
    expect({ foreign, complaints, told }).toEqual({ foreign: [], complaints: [], told: [] });

    // A code, for a terminal that this browser cannot reach.
    const elsewhere = home.start(['login', '--no-browser', '--base-url', world.url]);
    await page.goto(await addressOf(elsewhere));
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByRole('heading', { name: 'Your code' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'cli-code');
    elsewhere.type(`${await page.getByLabel('Code').inputValue()}\n`);
    expect((await elsewhere.ended).code).toBe(0);

    const refused = home.start(['login', '--no-browser', '--base-url', world.url]);
    await page.goto(await addressOf(refused));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor();
    expect((await refused.ended).code).toBe(4);
    expect(complaints).toEqual([]);
  },
);
