import { test } from 'vitest';
import { documentAt } from '../support/documents.ts';
import { follow, nowhere } from './run-docs.ts';
import { isReady, startNewcomer } from './docs-user.ts';
import { typedBlocksOf } from './run-pages.ts';

test('the commands of the README do what it says, for a new user', { timeout: 300_000 }, async () => {
  await using newcomer = await startNewcomer();
  const { reader, url, home, startsService } = newcomer;
  await follow(
    reader,
    typedBlocksOf(documentAt('README.md')),
    {
      instead: { 'npm ci && npm start': startsService },
      goesOn: {
        'npm ci && npm start\n': { seen: isReady, untilTheEnd: true },
        'cli demo': { seen: 'Ctrl-C stops the demo', untilTheEnd: true },
        'cli ui': { seen: 'READ-ONLY', end: 'q' },
        'cli agent run': { seen: 'Connected', untilTheEnd: true },
        'cli robots logs amr-007 --follow': { seen: /info +exec/ },
        'cli robots shell amr-007\n': { seen: 'Connected to amr-007', end: 'exit\n' },
        'cli robots camera amr-007': { seen: 'q leaves', end: 'q' },
      },
      leftOut: {
        'npm ci && npm start     #': 'this folder is installed and built; the next block starts the service',
        'npm link': 'changes the machine; the alias that the README offers is used instead',
      },
    },
    { ...nowhere, instead: { 'http://127.0.0.1:8080': url, '/home/kim': home } },
  );
});
