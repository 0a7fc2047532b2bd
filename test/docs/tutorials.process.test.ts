import { test } from 'vitest';
import { documentAt } from '../support/documents.ts';
import { startNewcomer } from './docs-user.ts';
import { follow } from './run-docs.ts';
import { testPages, typedBlocksOf } from './run-pages.ts';

test('the first tutorials lead from an empty machine to a fleet and a rollout', async () => {
  await using newcomer = await startNewcomer();
  const { reader, place } = newcomer;
  // Most of the time would go by while robots pretend to install.
  const instead = { '--count 20': `--count 20 --profile <(echo '{"order_seconds": 0.2}')` };
  const blocks = ['first-fleet', 'first-rollout'].flatMap((name) =>
    typedBlocksOf(documentAt(`docs/tutorials/${name}.md`)),
  );
  await follow(reader, blocks, { instead }, place);
});

testPages('docs/tutorials', (name) => !name.startsWith('first-'));
