import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { OrgService } from '../orgs/service.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { RobotService } from '../robots/service.ts';
import type { UserService } from '../users/service.ts';
import type { Token } from './model.ts';
import type { TokenService } from './service.ts';

interface Services {
  tokens: (db: Knex) => TokenService;
  users: (db: Knex) => UserService;
  orgs: (db: Knex) => OrgService;
  robots: (db: Knex) => RobotService;
}

type Operations =
  | 'getWhoami'
  | 'listTokens'
  | 'createUserToken'
  | 'createOrgToken'
  | 'revokeToken'
  | 'rotateRobotToken'
  | 'rotateAgentToken';

export const tokenHandlers = ({ tokens, users, orgs, robots }: Services) =>
  ({
    async getWhoami({ caller, db }) {
      const org = await orgs(db).get(caller.orgId);
      const token = await tokens(db).get(caller.orgId, caller.tokenId);
      const user = caller.kind === 'user' ? await users(db).get(caller.orgId, caller.userId) : undefined;
      const all = await tokens(db).orgsOf(caller.orgId, caller.tokenId);
      return {
        status: 200,
        body: {
          data: {
            kind: caller.kind,
            role: caller.role,
            org: { id: org.id, name: org.name },
            orgs: all.map(({ id, name, role, suspended }) => ({ id, name, role, suspended })),
            ...(user
              ? { user: { id: user.id, email: user.email, ...(user.name === undefined ? {} : { name: user.name }) } }
              : {}),
            token: {
              id: token.id,
              last_four: token.lastFour,
              ...(token.expiresAt ? { expires_at: token.expiresAt.toISOString() } : {}),
            },
          },
        },
      };
    },

    listTokens: ({ caller, db, query }) =>
      listReply(query, (page) =>
        tokens(db).list(caller.orgId, { kind: query.kind, userId: query.user_id, robotId: query.robot_id }, page),
      ),

    async createUserToken({ caller, db, params, body = {} }) {
      const { token, value } = await tokens(db).issueToUser(caller.orgId, params.id, {
        label: body.label,
        expiresInHours: body.expires_in_hours,
      });
      const made = toWire(token);
      return { status: 201, body: { data: { ...made, value } }, audit: { ...about(caller.orgId, made), after: made } };
    },

    async createOrgToken({ db, params, body = {} }) {
      const { token, value } = await orgs(db).issueToken(params.id, body.label);
      const made = toWire(token);
      return { status: 201, body: { data: { ...made, value } }, audit: { ...about(params.id, made), after: made } };
    },

    async revokeToken({ caller, db, params }) {
      const token = toWire(await tokens(db).revoke(caller.orgId, params.id));
      return {
        status: 200,
        body: { data: token },
        audit: { ...about(caller.orgId, token), after: token },
        announce: [{ topic: 'access_changed', orgId: caller.orgId }],
      };
    },

    async rotateRobotToken({ caller, db, params }) {
      const robot = await robots(db).get(caller.orgId, params.id);
      const wanted = await tokens(db).rotation.want(caller.orgId, robot.id);
      const [token, wantedAtMs] = [toWire(wanted), wanted.rotationWantedAt?.getTime() ?? 0];
      return {
        status: 200,
        body: { data: token },
        audit: { ...about(caller.orgId, token), after: token },
        announce: [{ topic: 'rotation_wanted', orgId: caller.orgId, robotId: robot.id, wantedAtMs }],
      };
    },

    async rotateAgentToken({ caller, db, body }) {
      const { token, value, changed } = await tokens(db).rotation.rotate(caller.orgId, caller.tokenId, body.nonce);
      const made = toWire(token);
      return {
        status: 200,
        body: { data: { robot_token: value } },
        audit: changed ? { ...about(caller.orgId, made), after: made } : 'unchanged',
        // A value that was never delivered may have become invalid.
        announce: changed ? [{ topic: 'access_changed', orgId: caller.orgId }] : [],
      };
    },
  }) satisfies Pick<Handlers, Operations>;

const about = (orgId: string, token: { id: string }) => ({ orgId, objectKind: 'token', objectId: token.id });

const toWire = (token: Token): components['schemas']['Token'] => ({
  id: token.id,
  kind: token.kind,
  ...(token.userId === undefined ? {} : { user_id: token.userId }),
  ...(token.robotId === undefined ? {} : { robot_id: token.robotId }),
  ...(token.label === undefined ? {} : { label: token.label }),
  last_four: token.lastFour,
  created_at: token.createdAt.toISOString(),
  ...(token.expiresAt ? { expires_at: token.expiresAt.toISOString() } : {}),
  ...(token.revokedAt ? { revoked_at: token.revokedAt.toISOString() } : {}),
  ...(token.rotationWantedAt ? { rotation_wanted_at: token.rotationWantedAt.toISOString() } : {}),
  ...(token.lastUsedAt ? { last_used_at: token.lastUsedAt.toISOString() } : {}),
});
