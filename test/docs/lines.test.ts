import { expect, test } from 'vitest';
import { parse } from '../../cli/command-line/parse.ts';
import type { Catalog } from '../../cli/command-line/command-spec.ts';
import { catalog } from '../../cli/command-specs/index.ts';
import { standaloneAgentCatalog } from '../../cli/command-specs/standalone-agent.ts';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import { blocksOf, documentAt, documentsIn, spansOf } from '../support/documents.ts';
import { operations } from '../support/operations.ts';
import { commandsOf } from '../support/shell-words.ts';

/** What people read: decisions tell what was, so they are not among it. */
const documents = [
  documentAt('README.md'),
  ...documentsIn('docs', '.md').filter(({ path }) => !path.startsWith('docs/decisions/')),
  ...documentsIn('docs/examples', ''),
  ...documentsIn('spec', '.yaml'),
];

/** How our programs are called, and what each takes. */
const programs: readonly (readonly [words: readonly string[], catalog: Catalog])[] = [
  [['cli'], catalog],
  [['node', 'agent.mjs'], standaloneAgentCatalog('node agent.mjs')],
  [['ExecStart=/usr/bin/env', 'node', '/opt/fleet-agent/agent.mjs'], standaloneAgentCatalog('node agent.mjs')],
];

/** The words behind the program's, if a command is one of ours. */
function ours(words: readonly string[]) {
  const [own, catalog] = programs.find(([own]) => own.every((word, index) => words[index] === word)) ?? [];
  return own && catalog ? { catalog, argv: words.slice(own.length) } : undefined;
}

/** Undefined if the program takes this line. Of one that is not `complete` only what is there has to be right. */
async function faultOf(catalog: Catalog, argv: readonly string[], complete: boolean): Promise<string | undefined> {
  if (argv.length === 0 || ['--version', '--help'].includes(argv.join(' '))) return undefined;
  const command = argv
    .map((_, index) => catalog.find(argv.slice(0, index + 1)))
    .filter((found) => found !== undefined)
    .at(-1);
  if (!command) {
    const isGroup = !complete && catalog.under(argv).length > 0;
    return isGroup ? undefined : `there is no command ${argv.join(' ')}`;
  }
  // What stands for a number is one.
  const rest = argv.slice(command.path.split(' ').length).map((word) => (word === '<n>' ? '1' : word));
  // With this flag it takes a line that ends too early.
  return parse(command, complete ? rest : ['--help', ...rest]).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}

/** Everybody's commands in a block: of one with prompts those that are typed, and those that are printed for the reader to paste. */
const typedIn = (text: string) => commandsOf(text.replaceAll(/^ *\$ /gm, ''));

test('each line of our programs that a document prints is one that they take', async () => {
  const faults: unknown[] = [];
  let count = 0;
  for (const document of documents) {
    const blocks = blocksOf(document).flatMap(({ text }) => typedIn(text));
    const unfenced = /\.(md|yaml)$/.test(document.path) ? [] : commandsOf(document.text);
    for (const words of [...blocks, ...unfenced]) {
      const line = ours(words);
      if (!line) continue;
      count += 1;
      const fault = await faultOf(line.catalog, line.argv, true);
      if (fault !== undefined) faults.push([document.path, words.join(' '), fault]);
    }
    for (const words of spansOf(document).flatMap(commandsOf)) {
      const line = ours(words);
      if (!line) continue;
      count += 1;
      const fault = await faultOf(line.catalog, line.argv, false);
      if (fault !== undefined) faults.push([document.path, words.join(' '), fault]);
    }
  }
  expect(faults).toEqual([]);
  // So that it does not go on to say so of nothing.
  expect(count).toBeGreaterThan(100);
});

test('what help begins with is taken too', async () => {
  for (const [, catalog] of programs) {
    for (const words of catalog.program.examples.flatMap(commandsOf)) {
      const line = ours(words);
      expect(line, words.join(' ')).toBeDefined();
      expect(line && (await faultOf(catalog, line.argv, true)), words.join(' ')).toBeUndefined();
    }
  }
});

/** Calls that documents tell of and the contract leaves out, as they are the pages', the sign-in's or the load balancer's own. */
const beyondTheContract = ['POST /cli/token', 'GET /readyz'];

test('each call that a document tells of is an operation of the contract, by its method, or the opening of a stream', () => {
  const streams = Object.values(asyncapi.channels).map(({ address }) => `GET ${address}`);
  const known = [...operations.map(({ method, path }) => `${method} ${path}`), ...streams];
  const pattern = (call: string) => new RegExp(`^${call.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const told = documents.flatMap(({ path, text }) => {
    const calls = [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?,;|)]*)/g)].map(([, ...call]) =>
      call.join(' '),
    );
    const addresses = [...text.matchAll(/\bwss?:\/\/[\w.:-]+(\/api\/[^\s`?]*)/g)].map(
      ([, address]) => `GET ${address}`,
    );
    return [...calls, ...addresses].map((call) => [path, call]);
  });
  const unknown = told.filter(([, call = '']) => !known.some((each) => pattern(each).test(call)));
  expect(unknown.filter(([, call = '']) => !beyondTheContract.includes(call))).toEqual([]);
  expect(beyondTheContract.filter((call) => !unknown.some(([, each]) => each === call))).toEqual([]);
});
