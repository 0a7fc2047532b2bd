import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { listReply } from '../platform/http/reply/list.ts';
import type { Budget, DisruptionBudgetService } from './service.ts';

type Schemas = components['schemas'];

export const disruptionBudgetHandlers = (budgets: (db: Knex) => DisruptionBudgetService) =>
  ({
    listDisruptionBudgets: ({ caller, db, query }) => listReply(query, (page) => budgets(db).list(caller.orgId, page)),

    async getDisruptionBudget({ caller, db, params }) {
      return { status: 200, body: { data: toWire(await budgets(db).get(caller.orgId, params.id)) } };
    },

    async createDisruptionBudget({ caller, db, body }) {
      const budget = toWire(await budgets(db).create(caller.orgId, { ...body, group_by: body.group_by ?? [] }));
      return { status: 201, body: { data: budget }, audit: { ...about(caller.orgId, budget), after: budget } };
    },

    async updateDisruptionBudget({ caller, db, params, body }) {
      const { before, after } = await budgets(db).update(caller.orgId, params.id, body);
      const budget = toWire(after);
      return {
        status: 200,
        body: { data: budget },
        audit: { ...about(caller.orgId, budget), before: toWire(before), after: budget },
      };
    },

    async deleteDisruptionBudget({ caller, db, params }) {
      const budget = toWire(await budgets(db).delete(caller.orgId, params.id));
      return { status: 200, body: { data: budget }, audit: { ...about(caller.orgId, budget), before: budget } };
    },
  }) satisfies Partial<Handlers>;

const about = (orgId: string, budget: Schemas['DisruptionBudget']) => ({
  orgId,
  objectKind: 'disruption_budget',
  objectId: budget.id,
});

const toWire = ({ createdAt, updatedAt, ...budget }: Budget): Schemas['DisruptionBudget'] => ({
  ...budget,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
