import { expect, test } from 'vitest';
import { createGuideSearch } from '../../src/docs-site/reference/guide-search.ts';
import { startWorld } from '../support/world.ts';

const guide = (name: string, title: string, body: string, weight = 1) => ({ address: `/${name}`, title, body, weight });

/** The addresses that a search in these guides finds for the query. */
async function found(query: string, ...guides: ReturnType<typeof guide>[]): Promise<string[]> {
  const search = await createGuideSearch(guides);
  return search.find(query).map(({ address }) => address);
}

test('a match in a title comes before one in a heading, and that before one in the text', async () => {
  const filler = 'An agent keeps a link to the service and reports what it does. '.repeat(20);
  const guides = [
    guide('text', 'Files', `Show lidar data. ${'lidar '.repeat(30)}`),
    guide('heading', 'Topics', `${filler}\n\n## Choose a lidar\n\n${filler}`),
    guide('title', 'Lidar on robots', filler),
  ];
  expect(await found('lidar', ...guides)).toEqual(['/title', '/heading#choose-a-lidar', '/text']);
});

test('all words are required, in any case and order, and each also matches longer words', async () => {
  const guides = [
    guide('both', 'Cameras', 'The LATENCY of a stream.'),
    guide('one', 'Cameras again', 'Pictures.'),
    guide('other', 'Shells', 'The latency of a key.'),
  ];
  expect(await found('laten CAMERA', ...guides)).toEqual(['/both']);
  expect(await found('latency', ...guides)).toEqual(['/both', '/other']);
  expect(await found('atency', ...guides)).toEqual([]);
  expect(await found('camera latency nothing', ...guides)).toEqual([]);
});

test('one letter matches only that word', async () => {
  const guides = [guide('flag', 'Flags', 'Use -C for a folder.'), guide('word', 'Cameras', 'Pictures.')];
  expect(await found('c', ...guides)).toEqual(['/flag']);
});

test('names with signs are found by their parts: flags, variables, addresses, letters with marks', async () => {
  const guides = [
    guide('flag', 'One', 'Start it with `--allow-shell`.'),
    guide('variable', 'Two', '```sh\nSERVICE_PUBLIC_URL=https://fleet.example.com npm start\n```'),
    guide('cell', 'Three', '| Code | Meaning |\n| --- | --- |\n| 4401 | Größe of [a token](x.md) |'),
  ];
  expect(await found('--allow-shell', ...guides)).toEqual(['/flag']);
  expect(await found('service_public_url', ...guides)).toEqual(['/variable']);
  expect(await found('4401 GRO\u0308ßE token', ...guides)).toEqual(['/cell']);
});

test('a guide has at most three results, and decisions come after guides', async () => {
  const sections = [1, 2, 3, 4, 5].map((number) => `## Part ${number}\n\nText.`).join('\n\n');
  const guides = [guide('decision', 'Cameras', 'One.', 0.25), guide('guide', 'Cameras', `Two.\n\n${sections}`)];
  const addresses = await found('cameras', ...guides);
  expect(addresses).toHaveLength(4);
  expect(addresses.at(-1)).toBe('/decision');
});

test('the excerpt is the passage that has most of the words, and ends between words', async () => {
  const filler = 'and so on with other things '.repeat(40);
  const search = await createGuideSearch([
    guide('long', 'Long', `token ${filler} rotate the token here ${filler} rotate ${filler}`),
  ]);
  const excerpt = search.find('rotate token')[0]?.excerpt ?? '';
  expect(excerpt).toMatch(/^… .*rotate the token here.* …$/);
  expect(excerpt.length).toBeLessThan(260);
});

/** The status, the headers and the text of the page that answers this query. */
async function ask(url: string, query: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${url}/docs/guides/search${query}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('the results name the guide and its section, and mark the words in the excerpt', async () => {
  await using world = await startWorld();
  const { status, headers, text } = await ask(world.url, '?q=architecture');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toContain('<a href="/docs/guides/explanation/architecture');
  expect(text).toContain('<mark>Architecture</mark>');
  expect(text).toContain('value="architecture"');
});

test('no page of results is for search engines', async () => {
  await using world = await startWorld();
  for (const query of ['', '?q=', '?q=robot', `?q=${'a'.repeat(201)}`])
    expect([query, (await ask(world.url, query)).headers.get('x-robots-tag')]).toEqual([query, 'noindex']);
  expect((await fetch(`${world.url}/docs/guides`)).headers.get('x-robots-tag')).toBeNull();
});

test('a query that cannot be searched for is answered with a page that says so', async () => {
  await using world = await startWorld();
  const cases: Record<string, [status: number, text: string]> = {
    '': [200, 'Type one or more words'],
    '?q=': [200, 'Type one or more words'],
    '?q=%20%09%00': [200, 'Type one or more words'],
    '?q=---': [200, 'Type one or more words'],
    '?q[]=robot': [200, 'Type one or more words'],
    [`?q=${'a'.repeat(200)}`]: [200, 'No guide has a section'],
    [`?q=${'a'.repeat(201)}`]: [400, 'more than 200 characters'],
    '?q=a+b+c+d+e+f+g+h+i': [400, 'more than 8 words'],
    '?q=%E0%A4%A': [400, 'not valid UTF-8'],
    '?q=%FF%FEr%00o%00': [400, 'not valid UTF-8'],
    '?q=no&q=zzzzzz': [200, 'No guide has a section with all of these words: no, zzzzzz'],
    '?q=__proto__+constructor+zzzzzz': [200, 'No guide has a section'],
  };
  for (const [query, [status, said]] of Object.entries(cases)) {
    const answer = await ask(world.url, query);
    expect([query, answer.status, answer.text]).toEqual([query, status, expect.stringContaining(said)]);
    expect(answer.text).toContain('role="search"');
  }
});

test('markup in a query is shown as text', async () => {
  await using world = await startWorld();
  for (const query of ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onfocus='x", '&lt;b&gt;']) {
    const { status, text } = await ask(world.url, `?q=${encodeURIComponent(query)}`);
    expect([query, status]).toEqual([query, 200]);
    expect(text).not.toMatch(/<script|<img|onfocus='/);
    expect(text).not.toContain(query);
  }
});
