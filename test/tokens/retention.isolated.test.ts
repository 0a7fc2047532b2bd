import { expect, test } from 'vitest';
import { dropOldKeys } from '../../src/enrollment/retention.ts';
import { dropOldTokens } from '../../src/tokens/retention.ts';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('tokens and keys are deleted some time after they became invalid, and valid ones stay', async () => {
  await using world = await startIsolatedWorld();
  const { db } = world;
  const make = factories(world);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const user = (await make.user('viewer')) as { id: string };
  for (let n = 0; n < 5; n += 1) await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} });
  const tokens = await db('tokens').where({ user_id: user.id }).orderBy('id').pluck<string[]>('id');
  const [revoked, expired, lately, soon, valid] = tokens;
  await db('tokens')
    .where({ id: revoked })
    .update({ revoked_at: daysAgo(31) });
  await db('tokens')
    .where({ id: expired })
    .update({ expires_at: daysAgo(31) });
  await db('tokens')
    .where({ id: lately })
    .update({ revoked_at: daysAgo(29) });
  await db('tokens')
    .where({ id: soon })
    .update({ expires_at: daysAgo(-1) });
  await db('tokens').where({ id: valid }).update({ expires_at: null });
  expect(await dropOldTokens(db, 30)).toBe(2);
  expect(await db('tokens').where({ user_id: user.id }).orderBy('id').pluck('id')).toEqual([lately, soon, valid]);

  const keys: string[] = [];
  for (let n = 0; n < 4; n += 1) keys.push(((await make.key()) as { id: string }).id);
  const changes = [
    { revoked_at: daysAgo(31) },
    { max_uses: 2, uses: 2, last_used_at: daysAgo(31) },
    { max_uses: 2, uses: 1, last_used_at: daysAgo(31) },
    {},
  ];
  for (const [n, change] of changes.entries())
    await db('enrollment_keys')
      .where({ id: keys[n] })
      .update({ expires_at: null, ...change });
  expect(await dropOldKeys(db, 30)).toBe(2);
  expect(await db('enrollment_keys').orderBy('id').pluck('id')).toEqual(keys.slice(2));
});
