import { join } from 'node:path';
import { expect } from 'vitest';
import { buildPrevious } from '../support/previous-release.ts';
import { testWith } from '../support/tools.ts';
import { failedText, seenText } from './suite/figures.ts';
import { runFaults } from './suite/run.ts';
import { upgradeAndBack } from './suite/version-faults.ts';

/** `npm run test:faults` does the same with 1,000 robots. */
const size = { robots: 50, streams: 4, pace: 0.25 };

testWith(
  'haproxy',
  'nats-server',
  'postgresql',
  'git history',
)(
  'three replicas are upgraded one by one and go back to the previous release, without a failed call or an interrupted stream',
  async ({ annotate }) => {
    const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 2 ** 31);
    await annotate(`FAULT_SEED=${seed}`);
    const fault = upgradeAndBack(join(await buildPrevious(), 'dist/server/main.js'));
    await runFaults([fault], { ...size, seed }, async ({ figures, violations }) => {
      await annotate(`${seenText(figures)}; failed: ${failedText(figures)}; slowest ${figures.slowestMs} ms`);
      // 429: the machine has other work, as also without a fault. Replicas that drain respond with 503.
      const failed = Object.keys(figures.failed).filter((name) => !name.endsWith(' 429'));
      expect({ violations, failed }).toEqual({ violations: [], failed: [] });
    });
  },
);
