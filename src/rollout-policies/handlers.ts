import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { listReply } from '../platform/http/reply/list.ts';
import { readRollout, type RolloutPolicy, type RolloutPolicyService } from './service.ts';

type Schemas = components['schemas'];

export const rolloutPolicyHandlers = (policies: (db: Knex) => RolloutPolicyService) =>
  ({
    listRolloutPolicies: ({ caller, db, query }) => listReply(query, (page) => policies(db).list(caller.orgId, page)),

    async getRolloutPolicy({ caller, db, params }) {
      return { status: 200, body: { data: toWire(await policies(db).get(caller.orgId, params.id)) } };
    },

    async createRolloutPolicy({ caller, db, body }) {
      const rollout = readRollout('body.rollout', body.rollout);
      const policy = toWire(await policies(db).create(caller.orgId, { name: body.name, rollout }));
      return { status: 201, body: { data: policy }, audit: { ...about(caller.orgId, policy), after: policy } };
    },

    async updateRolloutPolicy({ caller, db, params, body }) {
      const { before, after } = await policies(db).update(caller.orgId, params.id, {
        name: body.name,
        rollout: body.rollout && readRollout('body.rollout', body.rollout),
      });
      const policy = toWire(after);
      return {
        status: 200,
        body: { data: policy },
        audit: { ...about(caller.orgId, policy), before: toWire(before), after: policy },
      };
    },

    async deleteRolloutPolicy({ caller, db, params }) {
      const policy = toWire(await policies(db).delete(caller.orgId, params.id));
      return { status: 200, body: { data: policy }, audit: { ...about(caller.orgId, policy), before: policy } };
    },
  }) satisfies Partial<Handlers>;

const about = (orgId: string, policy: Schemas['RolloutPolicy']) => ({
  orgId,
  objectKind: 'rollout_policy',
  objectId: policy.id,
});

const toWire = ({ id, name, rollout, createdAt, updatedAt }: RolloutPolicy): Schemas['RolloutPolicy'] => ({
  id,
  name,
  rollout,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
