import { test } from 'vitest';
import { documentAt, shellBlocksOf } from '../support/documents.ts';
import { startNewcomer } from './docs-user.ts';
import { follow } from './run-docs.ts';

test('what the README has its reader type does what it says there, line by line', { timeout: 300_000 }, async () => {
  await using newcomer = await startNewcomer();
  const { reader, place } = newcomer;
  const leftOut = {
    'npm ci && npm start     #': 'this folder is installed and built, and what begins is typed below',
    'npm link': 'changes the machine; the alias that the README offers was typed instead',
  };
  await follow(reader, shellBlocksOf(documentAt('README.md')), { leftOut }, place);
});
