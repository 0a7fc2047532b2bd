import type { Knex } from 'knex';
import type { Role } from '../kernel/caller.ts';
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { peopleService, readEmail } from '../people/service.ts';
import type { User, UserChange } from './model.ts';
import { userStore } from './store.ts';

export type UserService = ReturnType<typeof userService>;

export function userService(db: Knex) {
  const users = userStore(db);

  /** @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<User> {
    const user = await users.find(orgId, id, options);
    if (!user) throw notFound('user');
    return user;
  }

  return {
    get,
    list: users.list,

    /** The user's role, locked until the transaction ends; undefined if the user does not exist. */
    async roleNow(orgId: string, id: string): Promise<Role | undefined> {
      return (await users.find(orgId, id, { lock: true }))?.role;
    },

    /** @throws bad_request for an address with which nobody can sign in, conflict if the org has a user with it */
    async create(orgId: string, wanted: Parameters<typeof users.create>[1]): Promise<User> {
      const email = readEmail(wanted.email);
      if (email === undefined) throw badRequest('body.email: must be an address such as kim@example.com');
      const user = await users.create(orgId, { ...wanted, email });
      if (!user) throw conflict('the org already has a user with this address');
      return user;
    },

    /** Returns the user before and after. @throws not_found */
    async update(orgId: string, id: string, change: UserChange): Promise<{ before: User; after: User }> {
      const before = await get(orgId, id, { lock: true });
      const after = await users.update(orgId, id, change);
      if (!after) throw notFound('user');
      return { before, after };
    },

    /** Returns the user as it was. @throws not_found */
    async delete(orgId: string, id: string): Promise<User> {
      const user = await get(orgId, id, { lock: true });
      await peopleService(db).endSessionsOfLast(orgId, id);
      await users.delete(orgId, id);
      return user;
    },
  };
}
