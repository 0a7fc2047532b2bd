import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Bus } from '../../src/platform/bus/bus.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { accessWatch } from '../../src/tokens/service.ts';
import { until } from '../support/until.ts';

test('a watch that was stopped asks nothing more, whatever is announced', async () => {
  const orgId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01';
  let announce = () => {};
  const bus: Bus = {
    up: true,
    announcing: () => ({ closing: [], onCommit: () => undefined }),
    send: async () => undefined,
    deliver: () => undefined,
    subscribe: ({ hint }) => void (announce = () => hint({ topic: 'access_changed', orgId })),
  };
  let [asked, answer] = [0, () => {}];
  const watch = accessWatch({
    bus,
    log: createLogger('silent', []),
    pollMs: 60_000,
    sockets: () => [{ orgId, tokenId: orgId }],
    findBad: () => {
      asked += 1;
      return new Promise((resolve) => (answer = () => resolve(new Map())));
    },
    onRevoked: () => undefined,
  });
  announce();
  await until(() => asked === 1);
  announce(); // is asked about once the question on its way is answered
  watch.stop();
  answer();
  announce();
  await pause(500); // more than it waits for others of the same org
  expect(asked).toBe(1);
});
