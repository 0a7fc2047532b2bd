import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import contract30 from '../../generated/openapi-3.0.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };
import { repository } from '../support/documents.ts';
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
      const response = await fetch(`${world.url}${pathname}`);
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
  for (const address of ['.md', '.py', '.cfg', '.conf'].flatMap(addressesOf))
    expect(ids.has(address), address).toBe(true);
});

test('the contract names no file of the repository, which a reader of the service does not have', () => {
  for (const [name, document] of Object.entries(contracts))
    expect([name, JSON.stringify(document).match(/(?<![\w/])(?:docs|spec|src|cli)\/[\w/-]+\.\w+/g)]).toEqual([
      name,
      null,
    ]);
});

test('a guide keeps its headings, tables, code and pictures, and links to other guides and to examples on the service', async () => {
  await using world = await startIsolatedWorld();
  const read = async (path: string) => (await fetch(`${world.url}${path}`)).text();
  const signatures = await read('/docs/guides/reference/signed-orders');
  expect(signatures).toContain('<h1>Signed orders</h1>');
  expect(signatures).toContain('<h2 id="what-is-signed"><a href="#what-is-signed">What is signed</a></h2>');
  expect(signatures).toMatch(/<th scope="row"><code>expires_at<\/code><\/th>/);
  expect(signatures).toContain('<pre><code>sequence=$(date');
  const protocol = await read('/docs/guides/reference/agent-protocol');
  expect(protocol).toContain('<a href="/docs/guides/reference/signed-orders">Signed orders</a>');
  expect(protocol).toContain('<a href="/docs/guides/examples/agent.py">');
  expect(await read('/docs/guides/sign-in')).toMatch(/<img src="\/docs\/guides\/pictures\/users\.png" alt="[^"]+"/);
  expect(await read('/docs/guides')).toContain('<a href="/docs/guides/reference/signed-orders">Signed orders</a>');
});

test('an example is served as text, a picture as a picture, and what is not part of the documentation not at all', async () => {
  await using world = await startIsolatedWorld();
  const ask = (path: string) => fetch(`${world.url}/docs/guides${path}`);
  const example = await ask('/examples/agent.py');
  expect(example.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(example.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await example.text()).toBe(readFileSync(`${repository}/docs/examples/agent.py`, 'utf8'));
  expect((await ask('/pictures/users.png')).headers.get('content-type')).toBe('image/png');
  for (const path of ['/nothing', '/reference/signed-orders.md', '/examples', '/__proto__'])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
});
