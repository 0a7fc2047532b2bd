import { createHash } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { faultsOf, openChromium, picture, testInBrowser, watchPage } from '../support/chromium.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

/** Two megabytes of script are read: on two cores that others use it takes its time. */
const browserMs = 120_000;

/** One browser for all, as each start of it takes a second; what a page may keep is kept apart by a context of its own. */
let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

async function openPage(options: BrowserContextOptions = {}) {
  const context = await (await (browser ??= openChromium())).newContext(options);
  return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
}

/** The console, drawn. */
async function openConsole(page: Page, world: World, rest = ''): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${world.url}/docs/try${rest}`);
  await page.locator('.opblock-tag').first().waitFor();
}

/** Gives the console a token, as the scheme that the document names so. */
async function authorize(page: Page, scheme: string, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByLabel(scheme, { exact: true }).fill(token);
  await page.keyboard.press('Enter');
  await page.getByText('In use.').waitFor();
  await page.keyboard.press('Escape');
}

/** Opens an operation as a reader does: its group, then itself. */
async function unfold(page: Page, group: string, operation: string) {
  const block = page.locator(`#operations-${group}-${operation}`);
  if (!(await block.isVisible())) await page.locator(`#operations-tag-${group}`).click();
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Execute' }).waitFor();
  return block;
}

type Operation = Awaited<ReturnType<typeof unfold>>;

/** Carries it out; the status that stands in its answer. */
async function execute(block: Operation): Promise<string | null> {
  await block.getByRole('button', { name: 'Execute' }).click();
  return block.locator('.live-responses-table .response .response-col_status').textContent();
}

const bodyOf = async (block: Operation): Promise<unknown> =>
  JSON.parse((await block.locator('.live-responses-table .response .microlight').first().textContent()) ?? '');

test('the console runs under a policy that allows nothing but files of the service itself, and ships none that names another', async () => {
  await using world = await startIsolatedWorld();
  const answer = await fetch(`${world.url}/docs/try`);
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  );
  for (const file of ['swagger-ui.js', 'try.js', 'try.css'])
    expect(await (await fetch(`${world.url}/docs/${file}`)).text(), file).not.toContain('sourceMappingURL');
});

testInBrowser(
  'a reviewer gives a token, sees who it is and makes a site; the page keeps nothing of it, and a reload forgets it',
  async () => {
    await using world = await startIsolatedWorld();
    await using opened = await openPage();
    const { page } = opened;
    const { foreign, complaints } = watchPage(page, [world.url]);
    await openConsole(page, world);
    await authorize(page, 'bearerAuth', world.orgToken);

    const whoami = await unfold(page, 'Session', 'getWhoami');
    expect(await execute(whoami)).toBe('200');
    expect(await bodyOf(whoami)).toMatchObject({ data: { role: 'admin' } });
    const createSite = await unfold(page, 'Sites', 'createSite');
    await createSite.locator('textarea').fill('{ "name": "Osaka" }');
    expect(await execute(createSite)).toBe('201');
    expect((await world.call('GET', '/api/sites')).body.items).toMatchObject([{ name: 'Osaka' }]);

    const kept = await page.evaluate(
      'indexedDB.databases().then((databases) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href, databases]))',
    );
    expect(kept).not.toContain(world.orgToken);
    expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] });

    await page.reload();
    const again = await unfold(page, 'Session', 'getWhoami');
    expect(await execute(again)).toBe('401');
    expect(await bodyOf(again)).toEqual({ error: { code: 'unauthorized', message: expect.any(String) } });
    expect([foreign, complaints]).toEqual([[], []]);
  },
  browserMs,
);

testInBrowser(
  'who logs out leaves no answer on the screen, no command line and no token',
  async () => {
    await using world = await startIsolatedWorld();
    await using opened = await openPage();
    const { page } = opened;
    await openConsole(page, world);
    await authorize(page, 'bearerAuth', world.orgToken);
    const whoami = await unfold(page, 'Session', 'getWhoami');
    expect(await execute(whoami)).toBe('200');
    const listSites = await unfold(page, 'Sites', 'listSites');
    expect(await execute(listSites)).toBe('200');
    expect(await page.content()).toContain(world.orgToken);

    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Logout', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.live-responses-table').count()).toBe(0);
    expect(await page.content()).not.toContain(world.orgToken);
    expect(await execute(listSites)).toBe('401');
  },
  browserMs,
);

testInBrowser(
  'a request carries the token that was given, no cookie of the host, and no example of a parameter',
  async () => {
    await using world = await startIsolatedWorld();
    await using opened = await openPage();
    const { page } = opened;
    await page.context().addCookies([{ name: 'session', value: 'of-the-portal', url: world.url }]);
    await openConsole(page, world);
    const asked = page.waitForRequest(`${world.url}/api/sites`);
    expect(await execute(await unfold(page, 'Sites', 'listSites'))).toBe('401');
    const without = await (await asked).allHeaders();
    expect([without['cookie'], without['authorization'], without['x-service-org-id']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await authorize(page, 'adminToken', world.adminToken);
    const admin = page.waitForRequest(`${world.url}/api/admin/orgs`);
    expect(await execute(await unfold(page, 'Admin', 'listOrgs'))).toBe('200');
    expect(await (await admin).allHeaders()).toMatchObject({ authorization: `Bearer ${world.adminToken}` });
  },
  browserMs,
);

testInBrowser(
  'what is tried goes to the service that served the page, whatever public address its document names',
  async () => {
    await using world = await startIsolatedWorld({ env: { SERVICE_PUBLIC_URL: 'https://fleet.example.com' } });
    await using opened = await openPage();
    const { page } = opened;
    const { foreign } = watchPage(page, [world.url]);
    await openConsole(page, world);
    expect(await page.locator('#origin').textContent()).toBe(world.url);
    await authorize(page, 'bearerAuth', world.orgToken);
    expect(await execute(await unfold(page, 'Session', 'getWhoami'))).toBe('200');
    expect(foreign).toEqual([]);
  },
  browserMs,
);

testInBrowser(
  'a link opens the operation that it names, and can lead the console to no other document or settings',
  async () => {
    await using world = await startIsolatedWorld();
    await using opened = await openPage();
    const { page } = opened;
    const { foreign, complaints } = watchPage(page, [world.url]);
    const tags = contract.tags.map(({ name }) => name);
    for (const query of [
      '?url=https://evil.example/a.json',
      '?configUrl=https://evil.example/b.json',
      '?filter=Sites',
    ]) {
      await openConsole(page, world, query);
      const drawn = "[...document.querySelectorAll('.opblock-tag')].map((tag) => tag.getAttribute('data-tag'))";
      expect(await page.evaluate(drawn)).toEqual(tags);
    }
    await openConsole(page, world, '?url=https://evil.example/a.json#/Sites/createSite');
    const block = page.locator('#operations-Sites-createSite');
    await block.getByRole('button', { name: 'Execute' }).waitFor();
    expect(await block.textContent()).toContain('createSite');
    expect(await page.getByRole('button', { name: 'Execute' }).count()).toBe(1);
    expect([foreign, complaints]).toEqual([[], []]);
  },
  browserMs,
);

testInBrowser(
  'what others wrote is shown as text, however much it is, and can be had whole as a file',
  async () => {
    await using world = await startIsolatedWorld();
    const name = '<img src=x onerror="globalThis.ran = true">';
    expect((await world.call('POST', '/api/sites', { body: { name } })).status).toBe(201);
    await using opened = await openPage();
    const { page } = opened;
    const { foreign, complaints } = watchPage(page, [world.url]);
    await openConsole(page, world);
    await authorize(page, 'bearerAuth', ` Bearer ${world.orgToken} `);
    const list = await unfold(page, 'Sites', 'listSites');
    expect(await execute(list)).toBe('200');
    expect(await bodyOf(list)).toMatchObject({ items: [{ name }] });

    const items = Array.from({ length: 20_000 }, (_, index) => ({ id: `site-${index}`, name }));
    await page.route('**/api/sites', (route) => route.fulfill({ json: { items } }));
    await list.getByRole('button', { name: 'Clear' }).click();
    expect(await execute(list)).toBe('200');
    const shown = list.locator('.live-responses-table .response .microlight').first();
    await expect.poll(() => shown.textContent()).toMatch(/… [\d,]+ more characters: select Download to see all$/);
    expect(await shown.locator('*').count()).toBe(0);
    const saved = page.waitForEvent('download');
    await list.getByRole('button', { name: 'Download' }).click();
    const chunks = await (await (await saved).createReadStream()).toArray();
    expect(JSON.parse(String(Buffer.concat(chunks)))).toEqual({ items });
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect([foreign, complaints]).toEqual([[], []]);
  },
  browserMs,
);

testInBrowser(
  'files go up and come down',
  async () => {
    await using world = await startIsolatedWorld();
    const file = Buffer.from([0, 255, 1, 254, 2]);
    const sha256 = createHash('sha256').update(file).digest('hex');
    const release = { artifact_sha256: sha256, artifact_size: file.length, tag: 'maps-7', kind: 'file' };
    expect((await world.call('POST', '/api/releases', { body: release })).status).toBe(201);
    await using opened = await openPage();
    const { page } = opened;
    const { foreign, complaints } = watchPage(page, [world.url]);
    await openConsole(page, world);
    await authorize(page, 'bearerAuth', world.orgToken);

    const upload = await unfold(page, 'Releases', 'uploadArtifact');
    await upload.getByPlaceholder('sha256').fill(sha256);
    await upload.locator('input[type=file]').setInputFiles({ name: 'maps', mimeType: '', buffer: file });
    expect(await execute(upload)).toBe('200');
    expect(await bodyOf(upload)).toMatchObject({ data: { received: file.length, complete: true } });
    const download = await unfold(page, 'Releases', 'downloadArtifact');
    await download.getByPlaceholder('sha256').fill(sha256);
    expect(await execute(download)).toBe('200');
    const saved = page.waitForEvent('download');
    await download.getByRole('link', { name: 'Download file' }).click();
    const chunks = await (await (await saved).createReadStream()).toArray();
    expect(Buffer.concat(chunks)).toEqual(file);

    // The command line that is shown does the same; of HEAD without its flag curl would wait for a body.
    const head = await unfold(page, 'Releases', 'getArtifact');
    await head.getByPlaceholder('sha256').fill(sha256);
    expect(await execute(head)).toBe('200');
    expect(await head.locator('.curl').first().textContent()).toMatch(/^curl --head -X 'HEAD'/);
    expect([foreign, complaints]).toEqual([[], []]);
  },
  browserMs,
);

/** Of Swagger UI itself, whose markup is not ours: names and nesting of some of its controls. Contrast is ours to set. */
const inherited = /nested-interactive|landmark-unique|label-content-name-mismatch|scrollable-region-focusable| label: /;

testInBrowser(
  'the console is sound for everybody, light and dark, by keyboard, and fits on a phone',
  async () => {
    await using world = await startIsolatedWorld();
    await using opened = await openPage({ viewport: { width: 1024, height: 800 } });
    const { page } = opened;
    await openConsole(page, world);
    expect(await faultsOf(page)).toEqual([]);
    const fits = async () => {
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1024, height: 800 });
    };
    await fits();
    await picture(page, 'docs-try');

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('button', { name: 'Authorize' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Tokens' }).getByLabel('bearerAuth').waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('bearerAuth');
    expect((await faultsOf(page, '[role="dialog"]')).filter((fault) => !inherited.test(fault))).toEqual([]);
    await fits();
    await picture(page, 'docs-try-tokens');
    await page.keyboard.type(world.orgToken);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');

    expect(await execute(await unfold(page, 'Session', 'getWhoami'))).toBe('200');
    await unfold(page, 'Releases', 'uploadArtifact');
    await unfold(page, 'Deployments', 'createDeployment');
    // What is new since the page was looked at as a whole.
    expect((await faultsOf(page, '.opblock.is-open')).filter((fault) => !inherited.test(fault))).toEqual([]);
    await fits();
    await picture(page, 'docs-try-answer');
  },
  browserMs,
);

testInBrowser(
  'the console follows the scheme while it is open, and keeps what was typed',
  async () => {
    await using world = await startIsolatedWorld();
    await using opened = await openPage({ colorScheme: 'light' });
    const { page } = opened;
    await openConsole(page, world);
    await page.getByPlaceholder('Filter by tag or path').fill('Sites');
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(ground).toBe('rgb(20, 24, 29)');
    await expect.poll(() => page.evaluate('document.documentElement.className')).toBe('dark-mode');
    expect(await page.getByPlaceholder('Filter by tag or path').inputValue()).toBe('Sites');
  },
  browserMs,
);
