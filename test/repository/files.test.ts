import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface File {
  path: string;
  text: string;
  lines: string[];
}

/** Names that git ignores anywhere, and git's own folder. Read here, as a plain Debian has no git. */
const ignored = ['.git', ...readFileSync(`${repository}.gitignore`, 'utf8').trim().split('\n')].map(
  (line) => new RegExp(`^${line.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
);

/** What a clone would hold: every file that nothing ignores, with `/` at the end of `folder`. */
const filesBelow = (folder: string): File[] =>
  readdirSync(`${repository}${folder}`, { withFileTypes: true })
    .filter(({ name }) => !ignored.some((pattern) => pattern.test(name)))
    .flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) return filesBelow(`${path}/`);
      if (!entry.isFile()) return [];
      const text = readFileSync(`${repository}${path}`, 'utf8');
      return [{ path, text, lines: text.replace(/\n$/, '').split('\n') }];
    });

const files = filesBelow('');

const read = (path: string): File => {
  const file = files.find((other) => other.path === path);
  if (!file) throw new Error(`${path} is missing`);
  return file;
};
const code = files.filter(({ path }) => /\.(tsx?|m?js)$/.test(path) && !path.startsWith('generated/'));
const tests = files.filter(({ path }) => /^test\/.*\.test\.tsx?$/.test(path));

/** `path:line` of each line that matches. */
const places = (among: File[], pattern: RegExp): string[] =>
  among.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );

test('no file of code has more than 400 lines, no test more than 600', () => {
  const long = code.filter(({ path, lines }) => lines.length > (path.startsWith('test/') ? 600 : 400));
  expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([]);
});

test('half of the files of the product have at most 120 lines', () => {
  const lengths = code
    .filter(({ path }) => /^(src|cli)\//.test(path))
    .map(({ lines }) => lines.length)
    .sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(120);
});

test('what a file exports, another one names', () => {
  const isOurs = ({ path }: File) => /^(src|cli|packaging|\.ci)\//.test(path);
  const words = new Map(code.map((file) => [file, new Set(file.text.match(/\w+/g))]));
  const declaration = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  const unused = code.filter(isOurs).flatMap((file) =>
    [...file.text.matchAll(declaration)]
      .map(([, name = '']) => name)
      .filter((name) => !code.some((other) => other !== file && words.get(other)?.has(name)))
      .map((name) => `${file.path}: ${name}`),
  );
  expect(unused).toEqual([]);
});

test('every test runs: none is left alone, unwritten, or skipped without a reason', () => {
  const call = (modifiers: string) => new RegExp(`^\\s*(test|it|describe|suite)(\\.\\w+)*\\.(${modifiers})`);
  expect(places(tests, call('(only|todo)\\b'))).toEqual([]);
  // `testWith('tmux')` says its reason; anything else needs a comment on its line or the one above.
  const unexplained = tests.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      const explained = /\/\/|\*\//.test(line) || /^\s*(\/\/|\*)/.test(lines[index - 1] ?? '');
      return call('(skip|skipIf|runIf|fails)\\b').test(line) && !explained ? [`${path}:${index + 1}`] : [];
    }),
  );
  expect(unexplained).toEqual([]);
});

test('what silences the linter or the compiler gives its reason', () => {
  expect(places(code, /eslint-disable(?!.* -- \S)/).filter((place) => !place.startsWith('test/repository/'))).toEqual(
    [],
  );
  const silenced = places(code, /@ts-(expect-error|ignore|nocheck)\s*$/);
  expect(silenced.filter((place) => !place.startsWith('test/repository/'))).toEqual([]);
});

test('no token stands in a file but in examples and documentation', () => {
  const token = /\bsvc_(org|user|robot|enroll|ticket)_[0-9a-f]{64}\b/;
  expect(places(files, token).filter((place) => !/^(spec|generated|docs)\//.test(place))).toEqual([]);
});

test('the README opens with the two commands', () => {
  const opening = read('README.md').lines.slice(0, 40).join('\n');
  expect(opening).toContain('npm ci && npm start');
  expect(opening).toContain('npm ci && npm test');
});

test('every script that the documentation names exists', () => {
  const { scripts } = JSON.parse(read('package.json').text) as { scripts: Record<string, string> };
  const pages = files.filter(({ path }) => path.endsWith('.md'));
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name = '']) => name),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every decision has its context, the decision and its consequences, under a number of its own', () => {
  const decisions = files.filter(({ path }) => path.startsWith('docs/decisions/'));
  expect(decisions.length).toBeGreaterThan(0);
  expect(decisions.filter(({ path }) => !/\/\d{4}-[a-z0-9-]+\.md$/.test(path)).map(({ path }) => path)).toEqual([]);
  const numbers = decisions.map(({ path }) => path.slice('docs/decisions/'.length).slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const { path, text } of decisions)
    expect([
      path,
      ...['Context', 'Decision', 'Consequences'].filter((name) => !text.includes(`\n## ${name}\n`)),
    ]).toEqual([path]);
});

test('the CHANGELOG has what is not released on top', () => {
  expect(/^## .*$/m.exec(read('CHANGELOG.md').text)?.[0]).toBe('## Unreleased');
});

test('every operation of the contract is called by a test', () => {
  const { paths } = JSON.parse(read('generated/openapi.json').text) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const written = tests
    .filter(({ path }) => !path.startsWith('test/repository/'))
    .map(({ text }) => text)
    .join('\n');
  const words = new Set(written.match(/\w+/g));
  const uncalled = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, { operationId = '' }]) => {
        // `api.POST('/api/sites'`, `'POST', '/api/sites'`, `POST /api/sites`, or its name.
        const place = path.replaceAll(/[{}.]/g, '\\$&');
        const call = new RegExp(`\\b${method}\\b['"\`]?[(, ]+['"\`]?${place}(?![\\w/{])`, 'i');
        return !words.has(operationId) && !call.test(written);
      })
      .map(([, { operationId }]) => operationId),
  );
  expect(uncalled).toEqual([]);
});
