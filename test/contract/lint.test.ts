import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenContracts, type Fault } from './broken-contracts.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface Problem {
  ruleId: string;
  message: string;
  location: { source: { ref: string } }[];
}

/** What Redocly says with our redocly.yaml, by the name of the file. One process for all of them: most of its time is its start. */
async function lint(paths: string[]): Promise<Problem[]> {
  const program = join(repository, 'node_modules/.bin/redocly');
  const { stdout } = await promisify(execFile)(
    program,
    ['lint', ...paths, '--format=json', '--max-problems=1000', '--config', join(repository, 'redocly.yaml')],
    {
      cwd: repository,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 64 * 1024 * 1024,
    },
    // It exits with 1 where it finds something, and says all the same what.
  ).catch((error: unknown) => error as { stdout: string });
  // One report for each document, one after the other.
  return stdout.split(/(?<=^\})(?=\{)/m).flatMap((report) => (JSON.parse(report) as { problems: Problem[] }).problems);
}

let folder = '';
let problems: Problem[] = [];
const pathOf = (index: number) => join(folder, `${index}.json`);
const faults: [title: string, fault: Fault][] = Object.entries(brokenContracts);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lint-'));
  await Promise.all(faults.map(([, { document }], index) => writeFile(pathOf(index), JSON.stringify(document))));
  problems = await lint([...faults.map((_, index) => pathOf(index)), 'spec/openapi.yaml']);
});
afterAll(() => rm(folder, { recursive: true }));

const saidOf = (path: string) =>
  problems
    .filter(({ location }) => join(repository, location[0]?.source.ref ?? '') === join(path))
    .map(({ ruleId, message }) => ({ ruleId, message }));

for (const [index, [title, { rule, says }]] of faults.entries())
  test(`${title} is told, and how it is done`, () => {
    const said = saidOf(pathOf(index));
    expect(said.map(({ ruleId }) => ruleId)).toEqual(rule === undefined ? [] : [`contract/${rule}`]);
    if (says) expect(said[0]?.message).toMatch(says);
  });

test('the contract itself has nothing to be told', () => {
  const ours = problems.filter(({ location }) => !location[0]?.source.ref.includes('lint-'));
  expect(ours).toEqual([]);
});

test('every rule of our own is on as an error, and a document here breaks it', async () => {
  const files = await readdir(join(repository, '.ci/lint'));
  const texts = await Promise.all(files.map((name) => readFile(join(repository, '.ci/lint', name), 'utf8')));
  const rules = texts.flatMap((text) => [...text.matchAll(/^ {2}'([a-z0-9-]+)': /gm)].map(([, name = '']) => name));
  const settings = await readFile(join(repository, 'redocly.yaml'), 'utf8');
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.filter((name) => !settings.includes(`\n  contract/${name}: error\n`))).toEqual([]);
  const broken = new Set(faults.map(([, { rule }]) => rule));
  expect(rules.filter((name) => !broken.has(name))).toEqual([]);
});
