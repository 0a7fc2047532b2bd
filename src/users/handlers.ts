import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { User } from './model.ts';
import type { UserService } from './service.ts';

export const userHandlers = (users: (db: Knex) => UserService) =>
  ({
    listUsers: ({ caller, db, query }) => listReply(query, (page) => users(db).list(caller.orgId, query, page)),

    async createUser({ caller, db, body }) {
      const user = toWire(await users(db).create(caller.orgId, body));
      return { status: 201, body: { data: user }, audit: { ...about(caller.orgId, user), after: user } };
    },

    async updateUser({ caller, db, params, body }) {
      const { before, after } = await users(db).update(caller.orgId, params.id, body);
      const user = toWire(after);
      return {
        status: 200,
        body: { data: user },
        audit: { ...about(caller.orgId, user), before: toWire(before), after: user },
        announce: [{ topic: 'access_changed', orgId: caller.orgId }],
      };
    },

    async deleteUser({ caller, db, params }) {
      const user = toWire(await users(db).delete(caller.orgId, params.id));
      return {
        status: 200,
        body: { data: user },
        audit: { ...about(caller.orgId, user), before: user },
        announce: [{ topic: 'access_changed', orgId: caller.orgId }],
      };
    },
  }) satisfies Pick<Handlers, 'listUsers' | 'createUser' | 'updateUser' | 'deleteUser'>;

const about = (orgId: string, user: { id: string }) => ({ orgId, objectKind: 'user', objectId: user.id });

const toWire = ({ id, email, name, role, createdAt }: User): components['schemas']['User'] => ({
  id,
  email,
  ...(name === undefined ? {} : { name }),
  role,
  created_at: createdAt.toISOString(),
});
