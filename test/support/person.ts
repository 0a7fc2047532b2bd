import { tokenService } from '../../src/tokens/service.ts';
import type { World } from './world.ts';

/** A person's single token for several orgs, with a user in each: `roles` by the org's token. */
export async function personWith(
  world: World,
  roles: readonly { orgId: string; token: string; role: string }[],
  options: { label?: string; expiresInHours?: number } = {},
): Promise<{ id: string; value: string; userIds: string[] }> {
  const memberships: { orgId: string; userId: string }[] = [];
  for (const { orgId, token, role } of roles) {
    const made = await world.call('POST', '/api/users', { token, body: { email: 'kim@example.com', role } });
    memberships.push({ orgId, userId: made.body.data.id });
  }
  const issued = await world.db.transaction((trx) => tokenService(trx).issueToPerson({ memberships, ...options }));
  return { ...issued, userIds: memberships.map(({ userId }) => userId) };
}
