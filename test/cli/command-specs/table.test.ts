import { expect, test } from 'vitest';
import { parse } from '../../../cli/command-line/parse.ts';
import { catalog } from '../../../cli/command-specs/index.ts';
import contract from '../../../generated/openapi.json' with { type: 'json' };

interface PathItem {
  [method: string]: { operationId: string };
}

const operationIds = Object.values(contract.paths as unknown as Record<string, PathItem>).flatMap((path) =>
  Object.values(path).map(({ operationId }) => operationId),
);

test('every operation of the contract is called by some command', () => {
  const called = new Set<string>(catalog.commands.flatMap(({ operations = [] }) => operations));
  expect(operationIds.filter((id) => !called.has(id))).toEqual([]);
});

test('every command of the table loads, and its examples are lines that it takes', async () => {
  for (const command of catalog.commands) {
    expect(await command.load(), command.path).toBeTypeOf('function');
    for (const example of command.examples) {
      const [, words] = /(?:^|\s|\(|<\()cli (.*?)(?:\)$|\s[|<>]\s.*|$)/.exec(example) ?? [];
      expect(words, example).toBeDefined();
      const argv = (words ?? '').match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)?.map((word) => word.replace(/["']/g, '')) ?? [];
      if (argv[0] === 'login' && command.path !== 'login') continue;
      const rest = argv.slice(command.path.split(' ').length);
      if (example === 'cli --version') continue;
      await expect(parse(command, rest), example).resolves.toBeDefined();
    }
  }
});
