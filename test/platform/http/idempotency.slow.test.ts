import { randomUUID } from 'node:crypto';
import type { OpenAPIV3_1 } from 'openapi-types';
import { expect, test } from 'vitest';
import { compileValidators } from '../../../.ci/generate/validators.ts';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { mintToken } from '../../../src/kernel/tokens.ts';
import type { Document } from '../../../src/platform/http/dispatch/contract.ts';
import { reapIdempotencyKeys } from '../../../src/platform/http/dispatch/idempotency.ts';
import type { Handlers } from '../../../src/platform/http/dispatch/operation.ts';
import { importModule } from './import-module.ts';
import { startIsolatedWorld, type World, type IsolatedOptions } from '../../support/world.ts';

/** The contract with an Idempotency-Key on createSite: no operation of this version has one, the platform's function is there for the next. */
async function keyedContract(): Promise<Omit<NonNullable<IsolatedOptions['contract']>, 'handlers'>> {
  const document = structuredClone(contract) as unknown as Document;
  const operation = document.paths?.['/api/sites']?.post as NonNullable<OpenAPIV3_1.PathItemObject['post']>;
  document.paths = { '/api/sites': { post: operation } };
  operation.parameters?.push({ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } });
  const { validators } = await importModule(await compileValidators(structuredClone(document)));
  return { document, validators };
}

let runs = 0;

async function keyedWorld(beforeReply: (world: { db: World['db'] }) => Promise<void> = async () => undefined) {
  runs = 0;
  const handlers = {
    async createSite({ caller, db, body }: Parameters<Handlers['createSite']>[0]) {
      runs += 1;
      const id = randomUUID();
      // Names of sites are unique; how often a request runs is counted by its rows.
      await db('sites').insert({ org_id: caller.orgId, id, name: `${body.name} ${id}` });
      await beforeReply({ db });
      if (body.name === 'refused') throw new Error('boom');
      const site = { id, name: body.name, created_at: new Date().toISOString() };
      return {
        status: 201,
        body: { data: site },
        audit: { orgId: caller.orgId, objectKind: 'site', objectId: id, after: site },
      };
    },
  } as unknown as Handlers;
  return startIsolatedWorld({ contract: { ...(await keyedContract()), handlers } });
}

const post = (world: World, key: string | undefined, body: object = { name: 'Osaka' }, token?: string) =>
  world.call('POST', '/api/sites', { body, token, headers: key === undefined ? {} : { 'Idempotency-Key': key } });

test('a replay gives the first answer byte for byte and says so, and makes no second row', async () => {
  await using world = await keyedWorld();
  const first = await post(world, 'key-1');
  const second = await post(world, 'key-1');
  expect(first.status).toBe(201);
  expect(first.headers.has('idempotent-replayed')).toBe(false);
  expect(second.status).toBe(201);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await world.count('sites')).toBe(1);
  expect(await world.count('audit')).toBe(2); // the org's own and the site's
});

test('thirty-two calls with one key at the same instant run once and answer alike', async () => {
  await using world = await keyedWorld();
  const answers = await Promise.all(Array.from({ length: 32 }, () => post(world, 'key-1')));
  expect(runs).toBe(1);
  expect(await world.count('sites')).toBe(1);
  const bodies = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
  expect(bodies.size).toBe(1);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
});

test('a key that is in flight for longer than two seconds answers 409 with Retry-After', async () => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  await using world = await keyedWorld(() => gate);
  const slow = post(world, 'key-1');
  await expect.poll(() => runs).toBe(1);
  const second = await post(world, 'key-1');
  open();
  expect(second.status).toBe(409);
  expect(second.headers.get('retry-after')).toBe('1');
  expect((await slow).status).toBe(201);
});

test('another payload under a used key is a conflict, the same payload spelt otherwise is a replay', async () => {
  await using world = await keyedWorld();
  await post(world, 'key-1');
  expect((await post(world, 'key-1', { name: 'Kyoto' })).body.error).toEqual({
    code: 'conflict',
    message: 'this Idempotency-Key was used with another payload',
  });
  const spelt = await world.call('POST', '/api/sites', {
    body: '{ "name" : "\\u004fsaka" }',
    headers: { 'Idempotency-Key': '"key-1"', 'Content-Type': 'application/json' },
  });
  expect(spelt.headers.get('idempotent-replayed')).toBe('true');
});

test('a failed call leaves its key free', async () => {
  await using world = await keyedWorld();
  expect((await post(world, 'key-1', { name: 'refused' })).status).toBe(500);
  expect(await world.count('idempotency_keys')).toBe(0);
  expect((await post(world, 'key-1')).status).toBe(201);
  expect(await world.count('sites')).toBe(1); // what the failed call wrote is gone with it
});

test('a key belongs to its org: another org with the same key makes its own row', async () => {
  await using world = await keyedWorld();
  const id = randomUUID();
  await world.db('orgs').insert({ id, name: 'Other', status: 'approved' });
  const { value, digest, lastFour } = mintToken('org');
  await world.db('tokens').insert({ org_id: id, id: randomUUID(), kind: 'org', digest, last_four: lastFour });
  await post(world, 'key-1');
  const other = await post(world, 'key-1', { name: 'Osaka' }, value);
  expect(other.headers.has('idempotent-replayed')).toBe(false);
  expect(await world.count('sites')).toBe(2);
});

test('a replay is authorised again: a revoked token gets 401, not the stored answer', async () => {
  await using world = await keyedWorld();
  await post(world, 'key-1');
  await world.db('tokens').update({ revoked_at: world.db.fn.now() });
  world.bus.deliver([{ topic: 'access_changed', orgId: world.orgId }]);
  expect((await post(world, 'key-1')).status).toBe(401);
});

test('a key that is missing, empty, too long, quoted by halves or holds a space, comma or tab answers 400 and runs nothing', async () => {
  await using world = await keyedWorld();
  for (const key of [undefined, '', 'x'.repeat(256), 'a b', 'a,b', 'a\tb', '"abc', '""', 'caf\u00e9'])
    expect((await post(world, key)).status, String(key)).toBe(400);
  expect(runs).toBe(0);
});

test('any other key of 1 to 255 visible characters is taken, with or without quotes', async () => {
  await using world = await keyedWorld();
  for (const key of ['x', 'x'.repeat(255), '"quoted"', randomUUID().toUpperCase(), '!#$%&()*+-./:;<=>?@[]^_`{|}~'])
    expect((await post(world, key)).status, key).toBe(201);
});

test('the reaper deletes keys past seven days and no others', async () => {
  await using world = await keyedWorld();
  await post(world, 'old');
  await world.db('idempotency_keys').update({ created_at: world.db.raw("now() - interval '8 days'") });
  await post(world, 'new');
  expect(await reapIdempotencyKeys(world.db)).toBe(1);
  expect(await world.db('idempotency_keys').pluck('key')).toEqual(['new']);
});

test('a keyed call waits for a locked row as long as any other call, and its key stays free', async () => {
  const lockOrgs = 'select from orgs for no key update';
  await using world = await keyedWorld(({ db }) => db.raw(lockOrgs));
  await world.db.transaction(async (held) => {
    await held.raw(lockOrgs);
    expect((await post(world, 'key-1')).status).toBe(503);
  });
  expect(world.lines.join()).toContain('canceling statement due to lock timeout');
  expect((await post(world, 'key-1')).status).toBe(201);
});
