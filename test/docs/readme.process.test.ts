import { join } from 'node:path';
import { test } from 'vitest';
import { documentAt, repository, shellBlocksOf } from '../support/documents.ts';
import { follow } from './run-docs.ts';
import { isReady, startNewcomer } from './docs-user.ts';

test('what the README has its reader type does what it says there, line by line', { timeout: 300_000 }, async () => {
  await using newcomer = await startNewcomer();
  const { reader, url, home, startsService } = newcomer;
  await follow(reader, shellBlocksOf(documentAt('README.md')), {
    instead: {
      'npm ci && npm start': startsService,
      'http://127.0.0.1:8080': url,
      'https://fleet.example.com': url,
      '/home/kim': home,
      // As the parts about shells and cameras want it of the agent.
      '--name amr-007': `--name amr-007 --allow-shell --camera test: --exec "echo 'battery 81 %'; sleep 600"`,
      // Of all file systems there may be some that it must not ask.
      'df -h': 'df -h .',
      '-C /tmp': `-C ${home}`,
      '--count 200': '--count 2',
      'node agent.mjs': `HOME=${home}/of-the-robot node ${join(repository, 'dist/agent.mjs')}`,
      '/var/log/nav.log': join(home, 'nav.log'),
    },
    goesOn: {
      'npm ci && npm start': { seen: isReady, untilTheEnd: true },
      'cli agent run': { seen: 'Connected', untilTheEnd: true },
      'cli robots logs amr-007 --follow': { seen: 'battery 81 %' },
      'cli robots shell amr-007\n': { seen: 'Connected to amr-007', end: 'exit\n' },
      'cli robots camera amr-007\n': { seen: 'q leaves', end: 'q' },
      'cli agent simulate': { seen: 'up 2' },
      'SERVICE_ENROLLMENT_KEY=svc_enroll_… node agent.mjs': { seen: 'Connected' },
    },
    leftOut: {
      'npm ci && npm start     #': 'this folder is installed and built, and what begins is typed below',
      'cli ui': 'a whole screen, which test/ui looks at',
      'cli robots topics': 'wants a ROS graph, as test/cli/live/topics/topics.process.test.ts has one',
      'cli agent conformance':
        'wants an agent of the reader; test/cli/conformance/conformance.process.test.ts takes others through it',
    },
  });
});
