import { expect, test } from 'vitest';
import { composeOrders } from '../../../src/deployments/engine/documents.ts';
import type { LockedDeployment, LockedTarget } from '../../../src/deployments/engine/locked.ts';
import { noCounts } from '../../../src/deployments/engine/model.ts';
import { desiredWriter } from '../../../src/agent-links/desired.ts';

const orgId = 'o';

const waiting = (count: number): LockedTarget[] =>
  Array.from({ length: count }, (_, index) => {
    const key = String(index).padStart(5, '0');
    const deployment: LockedDeployment = {
      orgId,
      id: `00000000-0000-7000-8000-0000000${key}`,
      status: 'pending',
      lane: 'config',
      payloadKey: `default/${key}`,
      payloadDigest: key,
      proof: key,
      name: key,
      signature: undefined,
      keyId: undefined,
      orderTerms: undefined,
      traceContext: undefined,
      activeMinutes: 30,
      startedAt: new Date(0),
      waitingUntil: undefined,
      holdsWaiting: false,
      openWave: undefined,
      isFrozen: false,
      isHolding: false,
      waitsForMaintenance: false,
      releaseId: undefined,
      configId: 'c',
      revision: 1,
      counts: noCounts(),
      eventSeq: 1,
    };
    return {
      deployment,
      robotId: 'r',
      wave: 1,
      status: 'waiting',
      reason: undefined,
      orderId: undefined,
      isDue: false,
      isReleased: true,
    };
  });

test('a config document stays within the 2 MiB that agents take, in whatever language its values are', () => {
  const entry = JSON.stringify('語'.repeat(20_000)); // 60,002 bytes
  const { orders, documents } = composeOrders(waiting(100), () => entry);
  expect(orders).toHaveLength(1);
  expect(orders[0]?.targets.length).toBeGreaterThan(10);
  expect(Buffer.byteLength(documents[0]?.body ?? '')).toBeLessThanOrEqual(2 * 1_048_576);
});

test('however many keys wait for a robot, its order fits into a frame', () => {
  const { orders } = composeOrders(waiting(10_000), () => '1');
  const [order] = orders;
  const { text } = desiredWriter().write([
    {
      orderId: order?.id ?? '',
      lane: 'config',
      sequence: 1,
      deployments: order?.targets.map(({ deployment }) => deployment.id) ?? [],
      digest: order?.digest ?? '',
      payload: undefined,
      cancel: false,
      signature: undefined,
      keyId: undefined,
      terms: {},
    },
  ]);
  expect(JSON.parse(text)).toMatchObject({ items: [{ order_id: order?.id }] });
});

test('each entry carries the signature of its own deployment, and what is signed goes without what is not', () => {
  const targets = waiting(4).map((target, index): LockedTarget => {
    const signed = { signature: `c2ln${index}`, keyId: 'k"1' };
    return { ...target, deployment: { ...target.deployment, ...(index % 2 === 0 && signed) } };
  });
  const entryOf = ({ payloadKey }: LockedDeployment) => `{"key":"${payloadKey}","value":{}}`;
  const { orders, documents } = composeOrders(targets, entryOf);
  expect(orders).toMatchObject([{ targets: [targets[0], targets[2]], signature: undefined, keyId: undefined }]);
  expect(JSON.parse(documents[0]?.body ?? '')).toEqual({
    config: [
      { key: 'default/00000', value: {}, signature: 'c2ln0', key_id: 'k"1' },
      { key: 'default/00002', value: {}, signature: 'c2ln2', key_id: 'k"1' },
    ],
  });
  const rest = composeOrders(targets.slice(1), entryOf);
  expect(rest.orders[0]?.targets).toEqual([targets[1], targets[3]]);
  expect(rest.documents[0]?.body).toBe(
    '{"config":[{"key":"default/00001","value":{}},{"key":"default/00003","value":{}}]}',
  );
});
