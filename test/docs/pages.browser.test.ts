import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };
import schemas from '../../generated/schemas.json' with { type: 'json' };
import { changelogPage } from '../../src/docs-site/reference/changelog.ts';
import { faultsNow, faultsOf, openChromium, picture, testInBrowser, watchPage } from '../support/chromium.ts';
import { startIsolatedWorld } from '../support/world.ts';

const plainPages = ['/docs/streams', '/docs/guides', '/docs/roles', '/docs/changelog'];
/** A guide of each group, among them one with pictures and one with tables and long code; and results of a search. */
const guides = [
  ...['tutorials/first-fleet', 'how-to/identity-provider', 'reference/agent-protocol', 'explanation/architecture'],
  ...['decisions/0033-pages-that-people-read', 'search?q=robot', 'search?q=zzzzzz', 'search'],
].map((name) => `/docs/guides/${name}`);

/** The page, and the ids to which a link can lead. */
async function read(url: string): Promise<{ text: string; ids: string[] }> {
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type')], url).toEqual([200, 'text/html; charset=utf-8']);
  const text = await answer.text();
  return { text, ids: [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id) };
}

test('each page of the reference leads to every other one and to the documents, and no link of theirs leads nowhere', async () => {
  await using world = await startIsolatedWorld();
  for (const path of ['/docs', '/docs/try', ...plainPages]) {
    const { text, ids } = await read(`${world.url}${path}`);
    expect(new Set(ids).size, path).toBe(ids.length);
    const links = [...new Set([...text.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link))];
    expect(links).toEqual(
      expect.arrayContaining([
        '/docs',
        '/docs/try',
        ...plainPages,
        '/openapi.json',
        '/openapi-3.0.json',
        '/asyncapi.json',
        '/schemas',
      ]),
    );
    expect(links.filter((link) => link.startsWith('#') && !ids.includes(link.slice(1)))).toEqual([]);
    for (const link of links.filter((link) => link.startsWith('/')))
      expect([link, (await fetch(`${world.url}${link}`)).status]).toEqual([link, 200]);
  }
});

test('the page of the streams tells of every channel, its query and every frame with its fields and examples', async () => {
  await using world = await startIsolatedWorld();
  const { text, ids } = await read(`${world.url}/docs/streams`);
  for (const [name, { address, bindings }] of Object.entries(asyncapi.channels)) {
    expect(ids).toContain(name);
    expect(text).toContain(`GET ${address}</code>`);
    const query = 'query' in bindings.ws ? Object.keys(bindings.ws.query.properties) : [];
    for (const parameter of query) expect(text).toContain(`<code>${parameter}</code>`);
  }
  for (const [name, message] of Object.entries(asyncapi.components.messages)) {
    expect(ids).toContain(`frame-${name}`);
    if ('x-json-schema' in message) expect(text).toContain(`href="${message['x-json-schema']}"`);
  }
  const signs = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
  const asText = text.replaceAll(/&(quot|#39|lt|gt|amp);/g, (_, name: keyof typeof signs) => signs[name]);
  for (const schema of Object.values(schemas)) {
    const examples = 'examples' in schema ? schema.examples : [];
    for (const field of Object.keys(schema.properties)) expect(text).toContain(`<code>${field}</code>`);
    for (const example of examples) expect(asText).toContain(JSON.stringify(example));
  }
  expect(text).toMatch(/4401<\/th>\s*<td>The token is no longer valid/);
});

test('the page of the streams shows every schema that a frame refers to, with its fields, and links to it', async () => {
  await using world = await startIsolatedWorld();
  const { text, ids } = await read(`${world.url}/docs/streams`);
  const named = new Set([...JSON.stringify(schemas).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name = '']) => name));
  for (const name of ['OrderState', 'Order', 'Capabilities', 'HealthSnapshot', 'SpooledRecord'])
    expect(named).toContain(name);
  for (const name of named) {
    expect(ids).toContain(`schema-${name}`);
    expect(text).toContain(`<a href="#schema-${name}">${name}</a>`);
  }
  const sectionOf = (id: string) => text.split('<section>').find((section) => section.includes(` id="${id}"`)) ?? '';
  for (const schema of Object.values(schemas))
    for (const [name, part] of Object.entries('$defs' in schema ? schema.$defs : {}))
      for (const field of Object.keys('properties' in part ? part.properties : {}))
        expect([name, sectionOf(`schema-${name}`)]).toEqual([name, expect.stringContaining(`<code>${field}</code>`)]);
  // A report has the fields of the state that it is made of, with types and limits; nested ones stand under their path.
  expect(sectionOf('frame-report')).toMatch(
    /<code>order_id<\/code>, required\s*<\/th>\s*<td>\s*string,\s*1 to 64\s*characters/,
  );
  expect(sectionOf('schema-OrderState')).toMatch(
    /<code>progress\.percent<\/code>, required\s*<\/th>\s*<td>\s*integer, 0 to 100/,
  );
});

test('the changelog has each version under its name', async () => {
  await using world = await startIsolatedWorld();
  const { text, ids } = await read(`${world.url}/docs/changelog`);
  expect(ids).toContain('Unreleased');
  expect(text).toContain('<code>cli audit verify</code>');
});

test('what breaks clients is marked in the changelog: the version, and each change', () => {
  const page = changelogPage([
    {
      version: '2.0.0',
      date: '2026-12-01',
      entries: [
        { kind: 'Breaking', text: '`listSites`: `limit` was optional, and is required.', breaking: true },
        { kind: 'Added', text: 'Halls.', breaking: false },
      ],
    },
    { version: '1.9.0', entries: [{ kind: 'Fixed', text: 'A door.', breaking: false }] },
  ]);
  const mark = '<span class="breaking">breaking</span>';
  const [, newest = '', older = ''] = page.split('<section>');
  expect(newest.split(mark)).toHaveLength(3);
  expect(newest).toMatch(new RegExp(`#2\\.0\\.0">2\\.0\\.0, 2026-12-01</a> ${mark}`));
  expect(newest).toContain(`<li>${mark} <code>listSites</code>`);
  expect(older).not.toContain(mark);
});

test('the foot of the reference names the document by the digest that every answer carries', async () => {
  await using world = await startIsolatedWorld();
  const answer = await fetch(`${world.url}/api/whoami`);
  expect((await read(`${world.url}/docs`)).text).toContain(`<code>${answer.headers.get('x-spec-digest')}</code>`);
});

testInBrowser('the plain pages are sound for everybody, light and dark, and fit on a phone', async () => {
  await using world = await startIsolatedWorld();
  await using browser = await openChromium();
  const page = await browser.newPage();
  const { foreign, complaints } = watchPage(page, [world.url]);
  for (const path of [...plainPages, ...guides]) {
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.goto(`${world.url}${path}`);
    expect([path, await faultsOf(page)]).toEqual([path, []]);
    await page.setViewportSize({ width: 360, height: 720 });
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360]);
    // Of who may do what the roles stand beside the names, which stay in sight.
    if (path === '/docs/roles') {
      for (const name of ['viewer', 'operator'])
        expect((await page.getByRole('columnheader', { name }).boundingBox())?.x).toBeLessThan(300);
      await page.evaluate("document.querySelector('.wide').scrollTo(1_000, 0)");
      expect((await page.getByRole('rowheader').first().boundingBox())?.x).toBeGreaterThanOrEqual(0);
    }
    await picture(page, path.slice(1).replaceAll(/[/?=]/g, '-'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  }
  expect([foreign, complaints]).toEqual([[], []]);
});

testInBrowser(
  'a guide has the others of its group beside it, on a phone above it, and on paper not at all',
  async () => {
    await using world = await startIsolatedWorld();
    await using browser = await openChromium();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const { foreign, complaints } = watchPage(page, [world.url]);
    await page.goto(`${world.url}/docs/guides/reference/agent-protocol`);
    const group = page.getByRole('navigation', { name: 'Reference' });
    const other = group.getByRole('link', { name: 'Glossary', exact: true });
    const content = page.getByRole('main');
    const left = async (part: typeof content) => (await part.boundingBox())?.x ?? NaN;
    expect(await other.isVisible()).toBe(true);
    expect(await left(other)).toBeLessThan(await left(content));
    // It stays there.
    await page.keyboard.press('End');
    const toEnd = () => page.evaluate<number>('document.documentElement.scrollHeight - innerHeight - scrollY');
    await expect.poll(toEnd).toBeLessThan(2);
    await expect.poll(async () => (await group.boundingBox())?.y).toBeGreaterThanOrEqual(0);

    await page.setViewportSize({ width: 360, height: 720 });
    expect(await other.isVisible()).toBe(false);
    await page.keyboard.press('Home');
    await group.locator('summary').focus();
    await page.keyboard.press('Enter');
    await other.click();
    await page.waitForURL(`${world.url}/docs/guides/reference/glossary`);

    await page.emulateMedia({ media: 'print' });
    for (const part of [page.getByRole('navigation'), page.getByRole('search')])
      expect(await part.filter({ visible: true }).count()).toBe(0);
    expect(await content.isVisible()).toBe(true);
    expect([foreign, complaints]).toEqual([[], []]);
  },
);

testInBrowser('guides are searched with a keyboard alone, from the index and from a guide', async () => {
  await using world = await startIsolatedWorld();
  await using browser = await openChromium();
  const page = await browser.newPage();
  const { foreign, complaints } = watchPage(page, [world.url]);
  const focused = () => page.evaluate<string>('document.activeElement.name || document.activeElement.href || ""');
  const tabTo = async (wanted: RegExp) => {
    for (let count = 0; count < 40 && !wanted.test(await focused()); count += 1) await page.keyboard.press('Tab');
    expect(await focused()).toMatch(wanted);
  };
  for (const from of ['/docs/guides', '/docs/guides/reference/agent-protocol']) {
    await page.goto(`${world.url}${from}`);
    await tabTo(/^q$/);
    await page.keyboard.type('ARCHITECT imports');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${world.url}/docs/guides/search?q=ARCHITECT+imports`);
    expect(await page.locator('mark').allTextContents()).toContain('imports');
    await tabTo(/architecture#/);
    const target = await focused();
    await page.keyboard.press('Enter');
    await page.waitForURL(target);
    const heading = page.locator(`[id="${new URL(target).hash.slice(1)}"]`);
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(720);
  }
  expect([foreign, complaints]).toEqual([[], []]);
});

testInBrowser(
  'a deep link opens the reference at its operation, in either scheme, with nothing from another host',
  async () => {
    await using world = await startIsolatedWorld();
    await using browser = await openChromium();
    const { summary } = contract.paths['/api/deployments'].post;
    const grounds: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme });
      const { foreign, complaints } = watchPage(page, [world.url]);
      await page.goto(`${world.url}/docs#operation/createDeployment`);
      const heading = page.locator('[id$="operation/createDeployment"] h2').first();
      await heading.waitFor();
      expect((await heading.textContent())?.trim()).toBe(summary);
      // Within the default window of 720 pixels: it is far down the page otherwise.
      await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(720);
      grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      expect([foreign, complaints]).toEqual([[], []]);
      await page.close();
    }
    expect(grounds).toEqual(['rgb(255, 255, 255)', 'rgb(20, 24, 29)']);
  },
);

testInBrowser('a deep link to a renamed section opens the section of the present name', async () => {
  await using world = await startIsolatedWorld();
  await using browser = await openChromium();
  const page = await browser.newPage();
  const { foreign, complaints } = watchPage(page, [world.url]);
  const opens = async (title: string) => {
    const id = `section/${title.replaceAll(' ', '-')}`;
    const heading = page.locator(`[id="${id}"] h2`);
    expect(await heading.textContent()).toBe(title);
    await expect.poll(() => page.evaluate('location.hash')).toBe(`#${id}`);
    // In the upper half of the window of 720 pixels.
    await expect.poll(async () => Math.abs((await heading.boundingBox())?.y ?? 720)).toBeLessThan(360);
  };
  await page.goto(`${world.url}/docs#section/Trying-again`);
  await opens('Requests and retries');
  for (const [before, title] of [
    ['Lists', 'Pagination'],
    ['Answers', 'Responses'],
  ] as const) {
    await page.evaluate(`location.hash = '#section/${before}'`);
    await opens(title);
  }
  // The previous name is not an entry of the history: "Back" leads on.
  await page.goBack();
  await opens('Pagination');
  expect([foreign, complaints]).toEqual([[], []]);
});

testInBrowser('each stop of the keyboard on the reference and the guides can be seen', async () => {
  await using world = await startIsolatedWorld();
  await using browser = await openChromium();
  const page = await browser.newPage();
  for (const path of ['/docs', '/docs/guides']) {
    await page.goto(`${world.url}${path}`);
    await page.getByRole('search').first().waitFor();
    const stops: string[] = [];
    while (stops.length < 14) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate<string>(
          '`${document.activeElement.tagName} ${getComputedStyle(document.activeElement).outlineStyle}`',
        ),
      );
    }
    expect(stops, path).toContain('INPUT solid');
    expect(
      stops.filter((stop) => !stop.endsWith(' solid')),
      path,
    ).toEqual([]);
  }
});

testInBrowser('an operation of the reference is sound for everybody, in the dark too', async () => {
  await using world = await startIsolatedWorld();
  await using browser = await openChromium();
  const page = await browser.newPage({ colorScheme: 'dark' });
  // Of a page with all operations axe makes a map, whatever part of it is asked for, and Redoc draws it for seconds.
  const { '/api/sites': sites } = contract.paths;
  await page.route('**/docs/openapi.json', async (route) => {
    const document = (await (await route.fetch()).json()) as typeof contract;
    await route.fulfill({ json: { ...document, paths: { '/api/sites': document.paths['/api/sites'] } } });
  });
  await page.goto(`${world.url}/docs`);
  for (const { operationId } of [sites.get, sites.post]) {
    const operation = `[id="operation/${operationId}"]`;
    await page.locator(operation).waitFor();
    expect(await faultsNow(page, operation)).toEqual([]);
  }
});
