import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import contract30 from '../../generated/openapi-3.0.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };
import { blocksOf, documentsIn, repository } from '../support/documents.ts';
import { movedGuides } from '../../src/docs-site/reference/moved-guides.ts';
import { startIsolatedWorld } from '../support/world.ts';

const contracts = { '/openapi.json': contract, '/openapi-3.0.json': contract30, '/asyncapi.json': asyncapi };

/** The targets of the Markdown links in the texts of a document. */
const targetsIn = (document: object) =>
  [...JSON.stringify(document).matchAll(/\]\(([^)\s"\\]+)\)/g)].map(([, target = '']) => target);

/** The files below docs/ with this ending, as addresses of the service without it. */
const addressesOf = (ending: string) =>
  readdirSync(`${repository}/docs`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => `/docs/guides/${path.slice(0, path.length - (ending === '.md' ? ending.length : 0))}`);

test('every link of the contract, of the reference and of the guides leads to something on the service', async () => {
  await using world = await startIsolatedWorld();
  const ids = new Map<string, Set<string> | undefined>(); // of each address that was asked for; undefined for what is no page
  const dead: string[] = [];

  /** Asks for the address, and for what its page links to. */
  async function visit(link: string, from: string): Promise<void> {
    const { origin, pathname, hash } = new URL(link, `${world.url}${from}`);
    if (origin !== world.url) return;
    if (!ids.has(pathname)) {
      ids.set(pathname, undefined);
      // A former address is a dead link too, although it leads on.
      const response = await fetch(`${world.url}${pathname}`, { redirect: 'manual' });
      if (response.status !== 200) dead.push(`${from} -> ${link}: ${response.status}`);
      const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
      const text = isPage ? await response.text() : '';
      await response.body?.cancel().catch(() => undefined);
      if (isPage) ids.set(pathname, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
      for (const [, target = ''] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) await visit(target, pathname);
    }
    // Redoc draws the places of its page in the browser; another test looks at them there.
    if (hash !== '' && pathname !== '/docs' && !ids.get(pathname)?.has(decodeURIComponent(hash.slice(1))))
      dead.push(`${from} -> ${link}: no such place`);
  }

  for (const page of ['/docs', '/docs/try', '/docs/streams', '/docs/roles', '/docs/changelog', '/docs/guides'])
    await visit(page, '/');
  for (const [from, document] of Object.entries(contracts))
    for (const target of targetsIn(document)) await visit(target.startsWith('#') ? `/docs${target}` : target, from);
  expect(dead).toEqual([]);
  for (const address of ['.md', '.py', '.cfg', '.conf', '.service'].flatMap(addressesOf))
    expect(ids.has(address), address).toBe(true);
});

test('the contract names no file of the repository, which a reader of the service does not have', () => {
  for (const [name, document] of Object.entries(contracts))
    expect([name, JSON.stringify(document).match(/(?<![\w/])(?:docs|spec|src|cli)\/[\w/-]+\.\w+/g)]).toEqual([
      name,
      null,
    ]);
});

/** As a page has it in its text. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'); // prettier-ignore

const guidesOf = () => documentsIn('docs', '.md').filter(({ path }) => path.split('/').length > 2);
const addressOf = (path: string) => `/docs/guides/${path.replace(/^docs\//, '').replace(/\.md$/, '')}`;

test('every guide has its title, headings, code, tables, pictures and links to other guides on its page', async () => {
  await using world = await startIsolatedWorld();
  for (const document of guidesOf()) {
    const address = addressOf(document.path);
    const page = await (await fetch(`${world.url}${address}`)).text();
    const blocks = blocksOf(document);
    const prose = blocks.reduce((text, { whole }) => text.replace(whole, ''), document.text);
    const [, title = ''] = /^# (.+)$/m.exec(prose) ?? [];
    expect([address, page]).toEqual([address, expect.stringContaining(`<h1>${escaped(title)}</h1>`)]);
    const headings = prose.match(/^##+ /gm) ?? [];
    expect([address, page.match(/<h[234] id="[^"]+"><a href="#/g)?.length ?? 0]).toEqual([address, headings.length]);
    for (const { text } of blocks)
      expect([address, page]).toEqual([address, expect.stringContaining(escaped(text.trimEnd()))]);
    const tables = prose.match(/^ *\|[ :|-]+\|$/gm) ?? [];
    expect([address, page.match(/<table>/g)?.length ?? 0]).toEqual([address, tables.length]);
    for (const [, mark = '', target = ''] of prose.matchAll(/(!?)\[[^\]]*\]\((?!https?:|\/|#)([^)#\s]+)/g)) {
      const file = new URL(target, `file:///${document.path}`).pathname.slice(1);
      if (file.startsWith('docs/'))
        expect([address, page]).toEqual([
          address,
          expect.stringContaining(`${mark === '' ? 'href' : 'src'}="${addressOf(file)}`),
        ]);
    }
  }
});

test('the index lists the guides by folder, each with its first sentence, and a guide lists those of its own folder', async () => {
  await using world = await startIsolatedWorld();
  const read = async (path: string) => (await fetch(`${world.url}${path}`)).text();
  const [, ...sections] = (await read('/docs/guides')).split('<section>');
  const titles = ['Tutorials', 'How-to guides', 'Runbooks', 'Reference', 'Explanation', 'Examples', 'Decisions'];
  const folders = ['tutorials', 'how-to', 'runbooks', 'reference', 'explanation', 'examples', 'decisions'];
  expect(sections.map((section) => /<h2 id="[\w-]+"><a href="#([\w-]+)">/.exec(section)?.[1])).toEqual(folders);
  for (const [place, folder] of folders.entries()) {
    const section = sections[place] ?? '';
    expect(section).toContain(`>${titles[place]}</a>`);
    const files = documentsIn(`docs/${folder}`, '.md');
    for (const { path } of files) expect(section).toContain(`<a href="${addressOf(path)}">`);
    if (folder === 'decisions' || folder === 'examples') continue;
    // Title, colon, sentence.
    expect([folder, section.match(/<\/a>: /g)?.length]).toEqual([folder, files.length]);
    for (const { path } of files) {
      const page = await read(addressOf(path));
      expect(page).toContain(`<nav aria-label="${titles[place]}">`);
      expect(page).toContain(`<a href="${addressOf(path)}" aria-current="page">`);
      for (const other of files) expect(page).toContain(`<a href="${addressOf(other.path)}"`);
    }
  }
});

test('the former address of a guide leads to its current one, where there is a guide', async () => {
  await using world = await startIsolatedWorld();
  expect(movedGuides.size).toBe(17);
  for (const [name, current] of movedGuides) {
    const response = await fetch(`${world.url}/docs/guides/${name}`, { redirect: 'manual' });
    const location = response.headers.get('location');
    expect([name, response.status, location]).toEqual([name, 301, `/docs/guides/${current}`]);
    expect([current, (await fetch(`${world.url}${location}`)).status]).toEqual([current, 200]);
  }
});

test('why a block of commands is not run is for the tests, and on no page', async () => {
  await using world = await startIsolatedWorld();
  const marked = guidesOf().filter((document) => blocksOf(document).some(({ info }) => info !== ''));
  for (const { path } of marked) {
    const page = await (await fetch(`${world.url}${addressOf(path)}`)).text();
    expect([path, page]).toEqual([path, expect.not.stringContaining('not run:')]);
  }
  expect(marked.length).toBeGreaterThan(0);
});

test('an example is served as text, a picture as a picture, and what is not part of the documentation not at all', async () => {
  await using world = await startIsolatedWorld();
  const ask = (path: string) => fetch(`${world.url}/docs/guides${path}`);
  const example = await ask('/examples/agent.py');
  expect(example.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(example.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await example.text()).toBe(readFileSync(`${repository}/docs/examples/agent.py`, 'utf8'));
  expect((await ask('/pictures/users.png')).headers.get('content-type')).toBe('image/png');
  for (const path of ['/nothing', '/reference/glossary.md', '/examples', '/reference', '/__proto__', '/constructor'])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
});
