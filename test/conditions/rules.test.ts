import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

test('an org has at most 100 condition rules, also if many are created at once', async () => {
  await using world = await startWorld();
  const path = '/api/condition-rules';
  const rule = { expression: 'battery < 20', severity: 'degraded' };
  const builtin = (await world.call('GET', path)).body.items.length;
  const rows = Array.from({ length: 99 - builtin }, (_, index) => ({
    ...rule,
    org_id: world.orgId,
    id: randomUUID(),
    name: `rule ${index}`,
    scope_kind: 'org',
    enabled: false,
  }));
  await world.db('condition_rules').insert(rows);
  const create = (_: unknown, index: number) =>
    world.call('POST', path, { body: { ...rule, name: `last ${index}`, scope: { kind: 'org' } } });
  const answers = await Promise.all(Array.from({ length: 8 }, create));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
});
