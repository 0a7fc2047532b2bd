import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };
import { sectionsOf } from '../../src/docs-site/reference/guide-sections.ts';
import { openChromium, testInBrowser } from '../support/chromium.ts';
import { documentAt, documentsIn } from '../support/documents.ts';
import { operations } from '../support/operations.ts';
import { startIsolatedWorld } from '../support/world.ts';

const patience = { timeout: 30_000 };

const root = new URL('../../', import.meta.url);
const plainPages = [
  ...['/docs/streams', '/docs/guides', '/docs/roles', '/docs/changelog'],
  ...documentsIn('docs', '.md').map(({ path }) => `/docs/guides/${path.slice('docs/'.length, -'.md'.length)}`),
];

/** Files in which a page of the reference may be named: what people read, and what the service and the client say. Decisions tell what such links look like. */
const files = [
  'README.md',
  'CHANGELOG.md',
  ...under('docs', '.md'),
  ...under('cli', '.ts'),
  ...under('src', '.ts'),
].filter((path) => !path.startsWith('docs/decisions/'));

function under(folder: string, ending: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => `${folder}/${path}`);
}

/** Links to a place of a page, such as `/docs/streams#agentLink`. Those that a page makes are found on the page. */
const placesIn = (text: string) =>
  [...text.matchAll(/\/docs(?:\/[\w-]+)*#[\w./%-]*\w(?![\w./%-]*\$\{)/g)].map(([link]) => link);

/** Of the texts of the contract also those to a place of the page that shows them: `[Sites](#tag/Sites)`. */
const ownPlacesIn = (document: object, page: string) =>
  [...JSON.stringify(document).matchAll(/\]\((#[^)\s]+)\)/g)].map(([, place = '']) => `${page}${place}`);

const written = [
  ...files.flatMap((path) => placesIn(readFileSync(new URL(path, root), 'utf8'))),
  ...[contract, asyncapi].flatMap((document) => placesIn(JSON.stringify(document))),
  ...ownPlacesIn(contract, '/docs'),
  ...ownPlacesIn(asyncapi, '/docs/streams'),
];

/** What Redoc makes of a tag. */
const tagPlace = (name: string) => `tag/${name.replaceAll(' ', '-')}`;

const hrefs = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link);

testInBrowser('every link to a place of a page leads to one that is there, wherever it is written', async () => {
  await using world = await startIsolatedWorld();
  await using browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(`${world.url}/docs`);
  const wanted = [...operations.map(({ id }) => `operation/${id}`), ...contract.tags.map(({ name }) => tagPlace(name))];
  await page.waitForSelector(`[id="${wanted[0]}"]`);
  const idsOfReference = async () =>
    page.evaluate<string[]>('[...document.querySelectorAll("[id]")].map(({ id }) => id)');
  // Redoc draws the rest of a long page bit by bit.
  await expect
    .poll(async () => {
      const ids = new Set(await idsOfReference());
      return wanted.filter((id) => !ids.has(id));
    }, patience)
    .toEqual([]);

  const ids = new Map<string, string[]>([['/docs', await idsOfReference()]]);
  const links: string[] = [...written];
  for (const path of plainPages) {
    const text = await (await fetch(`${world.url}${path}`)).text();
    const own = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
    expect(own, path).toHaveLength(new Set(own).size);
    ids.set(path, own);
    links.push(...hrefs(text).map((link) => (link.startsWith('#') ? `${path}${link}` : link)));
  }
  const places = [...new Set(links)].filter((link) => link.startsWith('/docs') && link.includes('#'));
  const dead = places.filter((link) => {
    const [path = '', place = ''] = link.split('#');
    return !ids.get(path)?.includes(decodeURIComponent(place));
  });
  expect(dead).toEqual([]);
  expect(places.length).toBeGreaterThan(80);
});

testInBrowser('a link to an exchange opens it', async () => {
  await using world = await startIsolatedWorld();
  await using browser = await openChromium();
  const page = await browser.newPage();
  const last = Object.keys(asyncapi['x-transcripts']).at(-1);
  await page.goto(`${world.url}/docs/streams#transcript-${last}`);
  await expect.poll(() => page.locator(`#transcript-${last}`).isVisible(), patience).toBe(true);
  // It stands in the default window of 720 pixels.
  await expect
    .poll(async () => (await page.locator(`#transcript-${last}`).boundingBox())?.y ?? Infinity, patience)
    .toBeLessThan(720);
});

/** The places of a document, as a code host names them. */
const placesOf = new Map<string, string[]>();
function hasPlace(path: string, place: string): boolean {
  const places = placesOf.get(path) ?? sectionsOf(documentAt(path).text).map(({ id }) => id);
  placesOf.set(path, places);
  return places.includes(place);
}

test('every link to a file of the repository leads to one that is there, and to a heading of it', () => {
  const pages = [...readdirSync(root).filter((name) => name.endsWith('.md')), ...under('docs', '.md')];
  const links = pages.flatMap((page) =>
    [...readFileSync(new URL(page, root), 'utf8').matchAll(/\]\(([\w./-]*)(?:#([\w-]+))?\)/g)].map(
      ([, link = '', place]) => ({
        page,
        file: link === '' ? page : new URL(link, new URL(page, root)).pathname.slice(root.pathname.length),
        place,
      }),
    ),
  );
  const dead = links.filter(
    ({ file, place }) =>
      !existsSync(new URL(file, root)) || (place !== undefined && file.endsWith('.md') && !hasPlace(file, place)),
  );
  expect(dead).toEqual([]);
  expect(links.length).toBeGreaterThan(300);
});

test('what is written of the places of the reference is found by these tests', () => {
  const text =
    'see /docs/streams#agentLink-close-codes, /docs/guides/how-to/cameras#limits or https://fleet.example.com/docs#operation/createSite.';
  const made = '<a href="/docs#operation/${operation.id}">';
  expect(placesIn(`${text} ${made}`)).toEqual([
    '/docs/streams#agentLink-close-codes',
    '/docs/guides/how-to/cameras#limits',
    '/docs#operation/createSite',
  ]);
});
