import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Caller } from '../../src/kernel/caller.ts';
import { createTokenUse } from '../../src/tokens/service.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { factories } from '../support/factories.ts';
import { personWith } from '../support/person.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const lastUsed = async (world: World, query = '', token = world.orgToken) =>
  (await world.call('GET', `/api/tokens${query}`, { token })).body.items.map(
    ({ last_used_at: at }: { last_used_at?: string }) => at,
  );

const thisMinute = async (world: World): Promise<string> => {
  const { rows } = await world.db.raw<{ rows: { at: Date }[] }>("select date_trunc('minute', now()) as at");
  return rows[0]?.at.toISOString() ?? '';
};

/** Waits for the next minute where this one is about to end. */
async function awayFromMinutesEnd(): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 5_000) await pause(leftMs + 100);
}

test('a token tells the minute in which it was last used: by a call, a refused one too, or by a socket', async () => {
  await using world = await startIsolatedWorld();
  const { db } = world;
  const minute = await thisMinute(world);
  const second = await startIsolatedWorld({ shares: world });
  const viewer = await factories(world).userToken('viewer');
  await factories(world).userToken('admin');
  const { robot_token: robotToken } = await robotsOf(world).enroll();
  expect(await lastUsed(world)).toEqual([undefined, undefined, undefined, undefined]);
  expect((await second.call('POST', '/api/sites', { token: viewer, body: { name: 'x' } })).status).toBe(403);
  expect((await second.call('GET', '/api/sites', { token: `${viewer.slice(0, -1)}g` })).status).toBe(401);
  const agent = await linkedAgent(second.url, robotToken);
  agent.socket.terminate();
  await second[Symbol.asyncDispose](); // writes what it has on its way out
  const [org, used, unused, robot] = await lastUsed(world);
  expect([org, unused]).toEqual([undefined, undefined]);
  for (const at of [used, robot]) {
    expect(at).toMatch(/:00\.000Z$/);
    expect(Date.parse(at) - Date.parse(minute)).toBeLessThanOrEqual(60_000);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(minute));
  }
  expect(await db('tokens').whereNotNull('last_used_at')).toHaveLength(2);
});

test('a token of several orgs is used in the one that was named', async () => {
  await using world = await startIsolatedWorld();
  const other = await factories(world).org();
  const { value } = await personWith(world, [
    { orgId: world.orgId, token: world.orgToken, role: 'viewer' },
    { orgId: other.id, token: other.token, role: 'viewer' },
  ]);
  const second = await startIsolatedWorld({ shares: world });
  await second.call('GET', '/api/sites', { token: value, headers: { 'X-Service-Org-Id': other.id } });
  await second.call('GET', '/api/sites', { token: value });
  await second[Symbol.asyncDispose]();
  expect(await lastUsed(world, '?kind=user')).toEqual([undefined]);
  expect(await lastUsed(world, '?kind=user', other.token)).toEqual([expect.any(String)]);
});

test('uses are gathered: many of a minute are one row written, by several replicas too, and a failure costs no call', async () => {
  await using world = await startIsolatedWorld();
  const { db } = world;
  const { rows } = await db.raw<{ rows: { org_id: string; id: string }[] }>('select org_id, id from tokens');
  const caller: Caller = { kind: 'org', orgId: rows[0]?.org_id ?? '', tokenId: rows[0]?.id ?? '', role: 'admin' };
  const said: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
  const version = async () =>
    (await db.raw<{ rows: { xmin: string; at: Date | null }[] }>('select xmin::text, last_used_at as at from tokens'))
      .rows[0];
  await awayFromMinutesEnd();
  const before = await version();
  const [one, two] = [createTokenUse({ db, log, everyMs: 30 }), createTokenUse({ db, log, everyMs: 30 })];
  for (let n = 0; n < 1_000; n += 1) for (const use of [one, two]) use.note(caller);
  await expect.poll(async () => (await version())?.at, { interval: 10 }).not.toBeNull();
  const after = await version();
  expect(after?.xmin).not.toBe(before?.xmin);
  for (const use of [one, two]) {
    use.note(caller);
    await use.stop();
  }
  expect(await version()).toEqual(after);
  expect(said).toEqual([]);

  await db('tokens').update({ last_used_at: '2100-01-01' }); // before the clock of the database was set back
  const late = createTokenUse({ db, log });
  late.note(caller);
  await late.stop();
  expect((await version())?.at?.getUTCFullYear()).toBeLessThan(2100);

  await db.raw('alter table tokens rename to tokens_away');
  const three = createTokenUse({ db, log });
  three.note(caller);
  await three.stop();
  await db.raw('alter table tokens_away rename to tokens');
  expect(said.join()).toContain('when tokens were last used could not be written');
});
