import { test } from 'vitest';
import { documentAt, shellBlocksOf } from '../support/documents.ts';
import { follow } from './run-docs.ts';
import { isReady, startNewcomer } from './docs-user.ts';

test(
  'the quick start of the reference leads from an empty machine to a robot that is online',
  { timeout: 300_000 },
  async () => {
    await using newcomer = await startNewcomer();
    const { reader, url, startsService } = newcomer;
    await follow(reader, shellBlocksOf(documentAt('spec/openapi.yaml')), {
      instead: {
        'npm ci && npm start': startsService,
        // The address is the default one there.
        'cli login': `cli login --base-url ${url}`,
      },
      goesOn: {
        'npm ci && npm start': { seen: isReady, untilTheEnd: true },
        'cli agent run': { seen: 'Connected', untilTheEnd: true },
      },
      leftOut: {
        'npm link': 'changes the machine; the alias that the README offers was typed instead',
      },
    });
  },
);
