import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { factories } from '../support/factories.ts';
import type { Scene } from '../support/scene.ts';
import type { World } from '../support/world.ts';

export interface Identity {
  token: string;
  kind: string | undefined; // undefined: nobody, whatever the operation
  role?: string;
}

/** Everybody who could knock: nobody, those who may no longer, and one of each kind and role. */
export async function identities(world: World, scene: Scene): Promise<Record<string, Identity>> {
  const make = factories(world);
  const { db } = world;
  const userToken = async (role: string) => make.userToken(role, `${randomUUID()}@example.com`);
  const key = await make.key();
  const revokedKey = await make.key();
  await world.call('POST', `/api/enrollment-keys/${revokedKey.id}/revoke`);
  const expiredKey = await make.key({ expires_in_hours: 1 });
  await db('enrollment_keys')
    .where({ id: expiredKey.id })
    .update({ expires_at: new Date(0) });

  const revoked = await make.userToken('admin', 'revoked@example.com');
  await world.call('POST', `/api/tokens/${(await whoami(world, revoked)).token.id}/revoke`);
  const removed = await make.userToken('admin', 'removed@example.com');
  await world.call('DELETE', `/api/users/${(await whoami(world, removed)).user.id}`);
  const expired = await userToken('admin');
  await db('tokens')
    .where({ last_four: expired.slice(-4), kind: 'user' })
    .update({ expires_at: new Date(0) });
  const goneRobot = await make.robot('gone', key);
  await world.call('DELETE', `/api/robots/${goneRobot.robot_id}`);

  const suspended = await make.org('Suspended');
  const suspendedKey = await make.key({}, suspended.token);
  const suspendedRobot = await make.robot('suspended', suspendedKey);
  await world.call('POST', `/api/admin/orgs/${suspended.id}/suspend`, { token: world.adminToken });

  const gone = (token: string): Identity => ({ token, kind: undefined });
  const all: Record<string, Identity> = {
    none: gone(''),
    garbage: gone('garbage'),
    'an unknown org token': gone(`svc_org_${randomBytes(32).toString('hex')}`),
    'an unknown user token': gone(`svc_user_${randomBytes(32).toString('hex')}`),
    'an unknown robot token': gone(`svc_robot_${randomBytes(32).toString('hex')}`),
    'half the admin token': gone(world.adminToken.slice(0, 20)),
    'the org token in capitals': gone(world.orgToken.toUpperCase()),
    'a revoked user token': gone(revoked),
    'an expired user token': gone(expired),
    'a token of a removed user': gone(removed),
    'a token of a deleted robot': gone(goneRobot.robot_token),
    'a revoked enrollment key': gone(revokedKey.value),
    'an expired enrollment key': gone(expiredKey.value),
    "a suspended org's token": gone(suspended.token),
    "a suspended org's enrollment key": gone(suspendedKey.value),
    "a suspended org's robot": gone(suspendedRobot.robot_token),
    'a robot': { token: scene.robotToken, kind: 'robot' },
    'an enrollment key': { token: key.value, kind: 'enroll' },
    'a viewer': { token: await userToken('viewer'), kind: 'user', role: 'viewer' },
    'an operator': { token: await userToken('operator'), kind: 'user', role: 'operator' },
    'an admin': { token: await userToken('admin'), kind: 'user', role: 'admin' },
    'the org token': { token: world.orgToken, kind: 'org', role: 'admin' },
    'the admin token': { token: world.adminToken, kind: 'admin' },
  };
  // A refused use of a key is noted in the org's audit log, once a minute: that is over before rows are compared, and the
  // next minute does not come.
  const refusedKeys = [revokedKey, expiredKey, suspendedKey];
  for (const { value } of refusedKeys) await world.call('POST', '/agent/enroll', { token: value, body: {} });
  await expect
    .poll(async () => (await db('audit').whereRaw("after ->> 'refused' is not null")).length)
    .toBe(refusedKeys.length);
  await db('enrollment_keys')
    .whereNotNull('refused_at')
    .update({ refused_at: db.raw("now() + interval '1 hour'") });
  return all;
}

const whoami = async (world: World, token: string) => (await world.call('GET', '/api/whoami', { token })).body.data;
