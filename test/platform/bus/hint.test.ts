import { expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { readMessage, writeMessage, type Hint } from '../../../src/platform/bus/hint.ts';

const orgId = newId();
const robotId = newId();
const most = Number.MAX_SAFE_INTEGER;

/** The longest hint of each topic. */
const longest: { [Topic in Hint['topic']]: Extract<Hint, { topic: Topic }> } = {
  access_changed: { topic: 'access_changed', orgId },
  link_changed: { topic: 'link_changed', orgId, robotId, epoch: most },
  rotation_wanted: { topic: 'rotation_wanted', orgId, robotId, wantedAtMs: most },
  conditions_changed: { topic: 'conditions_changed', orgId },
  redactions_changed: { topic: 'redactions_changed', orgId },
  robot_changed: { topic: 'robot_changed', orgId, robotId },
  robot_removed: { topic: 'robot_removed', orgId, robotId },
  deployment_due: { topic: 'deployment_due', orgId },
  logs_followed: { topic: 'logs_followed', orgId, robotId, replicaId: newId() },
  logs_stored: { topic: 'logs_stored', orgId, robotId },
  orders_changed: { topic: 'orders_changed', orgId, deploymentId: newId() },
};

// Longer messages are not read from NATS.
test.each(Object.values(longest))('the longest $topic is read as it was written, and takes less than 1 KiB', (hint) => {
  const message = { id: newId(), hint };
  const text = writeMessage(message);
  expect(Buffer.byteLength(text)).toBeLessThan(1_024);
  expect(readMessage(text)).toEqual(message);
});
