import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLinter, longestSentence } from '../../.ci/prose/lint.ts';
import { filesWithProse, passagesOf } from '../../.ci/prose/sources.ts';
import { parseTerms } from '../../.ci/prose/terms.ts';

const repository = new URL('../../', import.meta.url);
const read = (name: string) => readFile(new URL(name, repository), 'utf8');

let lint: Awaited<ReturnType<typeof createLinter>>;
beforeAll(async () => {
  lint = await createLinter();
});

/** A folder with these files and nothing else that a person reads. */
async function folderOf(files: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'prose-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const all = {
    'README.md': '',
    'CHANGELOG.md': '',
    'docs/a.md': '',
    'spec/a.yaml': '',
    'cli/a.ts': '',
    'src/a.ts': '',
  };
  for (const [name, text] of Object.entries({ ...all, ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return pathToFileURL(`${folder}/`);
}

/** What is found in such a folder, as `file:line:column rule`. */
async function foundIn(files: Record<string, string>): Promise<string[]> {
  const root = await folderOf(files);
  return (await lint(root, await filesWithProse(root))).map(
    ({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`,
  );
}

const long = `It has${' one'.repeat(longestSentence - 1)}.`;

test('each rule finds its violation in each kind of source, at its line and column', async () => {
  const files = {
    'README.md': `# Robots\n\nThe link is away.\nA recieved frame.\n\n${long}\n`,
    'CHANGELOG.md': `# Changelog\n\n## Unreleased\n\n- The link is away.\n\n## 0.1.0\n\n- The link is away.\n`,
    'docs/how-to/a.md': '| Name | Meaning |\n| --- | --- |\n| `a` | A recieved frame |\n',
    'spec/paths/a.yaml': [
      'a:',
      '  summary: Tells the time',
      '  description: >-',
      '    A recieved',
      `    frame. ${long}`,
      '    The link is away.',
      "  get: { responses: { '200': { description: 'It is ''away'', whoever asks.' } } }",
      '',
    ].join('\n'),
    'cli/command-specs/a.ts': `export const a = {\n  summary: 'Print whoever is\\nrecieved',\n  description: '${long}',\n};\n`,
    'cli/commands/a.ts': `fail(\`the \${name(1)}\n link is away\`);\nfail('one ' + name + ' recieved');\nfail('${long}');\n`,
    'src/a.tsx': `const a = <Text>\n  The link is away\n</Text>;\n`,
    'src/portal/a.ts': 'page(html`<p title="A recieved frame">\n  The link is <b>away</b>\n</p>`);\n',
  };
  expect(await foundIn(files)).toEqual([
    'README.md:3:10 terminology',
    'README.md:4:3 spelling',
    'README.md:6:1 sentence-length',
    'CHANGELOG.md:5:12 terminology',
    'cli/command-specs/a.ts:2:19 terminology',
    'cli/command-specs/a.ts:2:31 spelling',
    'cli/command-specs/a.ts:3:17 sentence-length',
    'cli/commands/a.ts:2:7 terminology',
    'cli/commands/a.ts:3:24 spelling',
    'cli/commands/a.ts:4:7 sentence-length',
    'docs/how-to/a.md:3:11 spelling',
    'spec/paths/a.yaml:2:12 terminology',
    'spec/paths/a.yaml:4:7 spelling',
    'spec/paths/a.yaml:5:12 sentence-length',
    'spec/paths/a.yaml:6:14 terminology',
    'spec/paths/a.yaml:7:62 terminology',
    'src/a.tsx:2:12 terminology',
    'src/portal/a.ts:1:23 spelling',
    'src/portal/a.ts:2:12 terminology',
  ]);
});

test('a finding says what was written, and what to write instead', async () => {
  const root = await folderOf({ 'README.md': 'The link is\naway, whoever asks for a recieved frame.\n' });
  expect((await lint(root, ['README.md'])).map(({ message }) => message)).toEqual([
    '"is away": is offline, disconnects, is closed',
    expect.stringMatching(/^"whoever": the person/),
    expect.stringMatching(/^"recieved" is not in the dictionary.*words\.txt/),
  ]);
});

test('code, addresses, quoted commands and values are no prose', async () => {
  const markdown = [
    'See [the page](https://example.com/whoever/recieved), `whoever recieved` and https://example.com/recieved.',
    'Set RECIEVED_WISH, recieved_wish, --whoever and <whoever>, or read docs/recieved.md and recieved.ts.',
    '',
    '```sh',
    'cli whoever recieved',
    '```',
    '',
    '<!-- whoever recieved -->',
    '',
  ].join('\n');
  const strings = [
    "import a from 'whoever recieved';",
    "type A = 'whoever recieved';",
    "db.raw('select recieved from whoever');",
    "const part = 'left join recieved on recieved.whoever = id';",
    "const spec = { examples: ['cli whoever recieved'], path: 'whoever recieved' };",
    "fail(`\"${name}\" not found. List robots with: cli whoever recieved`, 'recieved', { 'recieved': 1 });",
    'page(html`<p class="whoever recieved">Run <code>cli whoever recieved</code> now</p>`);',
    '// whoever recieved',
    '',
  ].join('\n');
  const contract =
    'a:\n  description: Fine.\n  # whoever\n  example: { description: whoever recieved }\n  x: whoever\n';
  expect(
    await foundIn({
      'docs/a.md': markdown,
      'docs/decisions/0001-a.md': 'Whoever recieved.\n',
      'spec/a.yaml': contract,
      'spec/released/0.1.0/a.yaml': 'description: Whoever recieved.\n',
      'cli/a.ts': strings,
    }),
  ).toEqual([]);
});

test('a value, a path and a piece of code are one word of a sentence each', async () => {
  const words = (count: number) => `It has${' one'.repeat(count - 5)}`;
  const sentence = (count: number) => `${words(count)} \`cli robots list\` docs/a/b.md "\${value}".`;
  const message = (count: number) =>
    `fail(\`${sentence(count).replaceAll('`', '\\`').replace('\\`', '').replace('\\`', '')}\`);`;
  expect(await foundIn({ 'README.md': sentence(longestSentence) })).toEqual([]);
  expect(await foundIn({ 'README.md': sentence(longestSentence + 1) })).toEqual(['README.md:1:1 sentence-length']);
  expect(await foundIn({ 'src/a.ts': message(longestSentence - 2) })).toEqual([]);
});

test('terms are found across lines and in any case, and what only contains one is not', () => {
  const terms = parseTerms('| Not | Write |\n| --- | --- |\n| `(is\\|are) away`, `shall` | offline |\n');
  const found = (text: string) =>
    terms.filter(({ pattern }) => text.search(pattern) >= 0).map(({ instead }) => instead);
  expect(found('they ARE\n  away')).toEqual(['offline']);
  expect(found('shall')).toEqual(['offline']);
  expect(found('marshall, this away, shall-we')).toEqual([]);
});

test.each([
  'There is no robot.',
  'The token is no longer valid.',
  'It sends no more than 10 messages.',
  'It gives up after 10 s.',
  'A status of its own, for the rest of the day.',
  'Try again later.',
  'The token answers the question.',
])('the terms accept "%s"', async (text) => {
  expect(await foundIn({ 'README.md': text })).toEqual([]);
});

test('every row of the terms says what to write, and the dictionary is sorted', async () => {
  const terms = parseTerms(await read('.ci/prose/terms.md'));
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.filter(({ instead }) => instead === '')).toEqual([]);
  const words = (await read('.ci/prose/words.txt')).trim().split('\n').slice(1);
  expect(words).toEqual([...new Set(words)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
});

test.each([
  ['README.md', 'Markdown'],
  ['CHANGELOG.md', 'Markdown'],
  ['docs/explanation/architecture.md', 'Markdown'],
  ['spec/openapi.yaml', 'contract'],
  ['spec/streams.asyncapi.yaml', 'contract'],
  ['spec/close-codes.yaml', 'contract'],
  ['cli/command-specs/robots.ts', 'help'],
  ['cli/commands/login.ts', 'message'],
  ['src/portal/home.ts', 'message'],
])('%s is read as %s', async (file, kind) => {
  expect(await filesWithProse(repository)).toContain(file);
  expect(new Set((await passagesOf(repository, file)).map((passage) => passage.kind))).toEqual(new Set([kind]));
});

test('decisions, released contracts and what has been released are not judged', async () => {
  const files = await filesWithProse(repository);
  expect(files.filter((file) => /^(docs\/decisions|spec\/released)\//.test(file))).toEqual([]);
});
