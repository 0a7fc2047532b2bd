import { expect, test } from 'vitest';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { replies } from '../../../generated/replies.js';
import { validators } from '../../../generated/validators.js';
import type { Document } from '../../../src/platform/http/dispatch/contract.ts';
import type { Handlers } from '../../../src/platform/http/dispatch/operation.ts';
import { operations } from '../../support/operations.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';

const document = contract as unknown as Document;

/** A service whose handlers give what they are told here, true to the contract or not. */
const worldGiving = (given: Record<string, () => object>) =>
  startIsolatedWorld({
    contract: {
      document,
      validators,
      handlers: new Proxy({} as Handlers, {
        has: () => true,
        get: (_, operation) => async () => given[String(operation)]?.(),
      }),
    },
  });

const violations = async (world: World): Promise<string[]> => {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('fleet_contract_violations_total{'));
};
const told = (world: World) => world.lines.filter((line) => line.includes('a response does not match the contract'));

test('a reply that is not what the contract says is counted each time, and told once with its place, never its value', async () => {
  const robot = operations.find(({ id }) => id === 'getRobot')?.replies.find(({ status }) => status === 200)?.content
    ?.example as { data: object };
  const wrong = { data: { ...robot.data, online: 'hunter2', name: 'amr-007' } };
  await using world = await worldGiving({ getRobot: () => ({ status: 200, body: wrong }) });
  // One reply of an operation is looked at in a second: the second count is of another one.
  await expect
    .poll(
      async () => {
        expect((await world.call('GET', '/api/robots/x')).body).toEqual(wrong);
        return violations(world);
      },
      { interval: 100 },
    )
    .toEqual(['fleet_contract_violations_total{operation="getRobot"} 2']);
  const lines = told(world);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"operation":"getRobot","status":200,"pointer":"/data/online","rule":"type"');
  expect(lines[0]).not.toContain('hunter2');
});

test('a field too many, a field too few and a status that nobody declared are seen, in lists as they are read too', async () => {
  const site = { id: 'a', name: 'Osaka', created_at: '2026-11-21T09:00:00.000Z' };
  async function* items() {
    yield JSON.stringify({ ...site, colour: 'red' });
    yield JSON.stringify(site);
  }
  await using world = await worldGiving({
    listSites: () => ({ status: 200, body: { items: items() } }),
    listFleets: () => ({ status: 200, body: '{"items":[{"id":"a"}]}' }),
    getOrg: () => ({ status: 202, body: {} }),
  });
  const list = await world.call('GET', '/api/sites');
  expect(list.body.items).toEqual([{ ...site, colour: 'red' }, site]);
  await world.call('GET', '/api/fleets?limit=1');
  await world.call('GET', '/api/org');
  await expect
    .poll(async () => (await violations(world)).sort())
    .toEqual(['getOrg', 'listFleets', 'listSites'].map((id) => `fleet_contract_violations_total{operation="${id}"} 1`));
  const lines = told(world).join('\n');
  expect(lines).toContain('"pointer":"/items/0/colour","rule":"additionalProperties"');
  expect(lines).toContain('"rule":"required"');
  expect(lines).toContain('"status":202,"rule":"the status is not declared"');
});

test('what the service really answers passes, refusals included', async () => {
  await using world = await startWorld();
  const statuses = [
    await world.call('GET', '/api/whoami'),
    await world.call('POST', '/api/sites', { body: { name: 'Osaka' } }),
    await world.call('GET', '/api/sites'),
    await world.call('GET', '/api/robots/none'),
    await world.call('POST', '/api/fleets', { body: {} }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 201, 200, 404, 400]);
  expect(await violations(world)).toEqual([]);
  expect(told(world)).toEqual([]);
});

test('every status of every operation has its judge', () => {
  const statusesOf = (all: [string, object][]) =>
    Object.fromEntries(all.map(([id, statuses]) => [id, Object.keys(statuses).sort()]));
  const declared = Object.values(contract.paths)
    .flatMap((item) => Object.values(item as Record<string, { operationId: string; responses: object }>))
    .map(({ operationId, responses }): [string, object] => [operationId, responses]);
  expect(statusesOf(Object.entries(replies))).toEqual(statusesOf(declared));
});
