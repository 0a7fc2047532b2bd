import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import { parseSelector } from '../kernel/label-selector.ts';
import { lockOrg } from '../platform/db/lock-org.ts';
import { checkNames, findMissingName } from '../robots/service.ts';
import { checkBudget, type BudgetSettings } from './budget.ts';
import { budgetStore, type Budget } from './store.ts';

export { allowedUnavailable } from './budget.ts';
export type { Budget } from './store.ts';

type BudgetChange = { [Name in keyof BudgetSettings]?: BudgetSettings[Name] | undefined };
export type DisruptionBudgetService = ReturnType<typeof disruptionBudgetService>;

/** Most budgets of an org: each is counted while robots are admitted. */
const maxBudgets = 20;

/** `db`: a transaction, if the call changes something. */
export function disruptionBudgetService(db: Knex) {
  const budgets = budgetStore(db);

  /** With `lock`, locks the budget until the transaction ends. @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<Budget> {
    const budget = await budgets.find(orgId, id, options);
    if (!budget) throw notFound('disruption budget');
    return budget;
  }

  async function check(orgId: string, settings: BudgetSettings): Promise<void> {
    checkBudget(settings);
    if (settings.selector !== undefined)
      await checkNames(db, orgId, 'body.selector', parseSelector('body.selector', settings.selector));
  }

  async function withMissing(orgId: string, budget: Budget): Promise<Budget> {
    if (budget.selector === undefined) return budget;
    const missing = await findMissingName(db, orgId, parseSelector('selector', budget.selector));
    return missing === undefined ? budget : { ...budget, missing };
  }

  return {
    get,
    list: budgets.list,

    /** All budgets of the org, oldest first, with what their selectors name that no longer exists. */
    async all(orgId: string): Promise<Budget[]> {
      const found: Budget[] = [];
      // One after the other: at the same time, they would take all connections of the pool.
      for (const budget of await budgets.all(orgId)) found.push(await withMissing(orgId, budget));
      return found;
    },

    /** @throws bad_request; conflict if the org has as many budgets as it can have, or one with this name */
    async create(orgId: string, settings: BudgetSettings): Promise<Budget> {
      await check(orgId, settings);
      await lockOrg(db, orgId);
      if ((await budgets.count(orgId)) >= maxBudgets)
        throw conflict(`the org has ${maxBudgets} disruption budgets; delete one first`);
      return budgets.create(orgId, settings);
    },

    /** An empty selector means all robots. Returns the budget before and after. @throws not_found, bad_request */
    async update(orgId: string, id: string, change: BudgetChange): Promise<{ before: Budget; after: Budget }> {
      const before = await get(orgId, id, { lock: true });
      const settings = changed(before, change);
      // A stored key that no label can have does not hinder other changes.
      await check(orgId, { ...settings, group_by: change.group_by ?? [] });
      const after = await budgets.update(orgId, before.id, settings);
      if (!after) throw notFound('disruption budget');
      return { before, after };
    },

    /** Returns the deleted budget. @throws not_found */
    async delete(orgId: string, id: string): Promise<Budget> {
      const budget = await get(orgId, id, { lock: true });
      await budgets.delete(orgId, budget.id);
      return budget;
    },
  };
}

/** A new limit of one kind replaces that of the other kind. */
function changed(before: Budget, change: BudgetChange): BudgetSettings {
  const { max_unavailable: most, min_available: least } = change;
  const limit = most || least ? change : before;
  const selector = change.selector ?? before.selector;
  return {
    name: change.name ?? before.name,
    ...(selector !== undefined && selector !== '' && { selector }),
    group_by: change.group_by ?? before.group_by,
    ...(limit.max_unavailable && { max_unavailable: limit.max_unavailable }),
    ...(limit.min_available && { min_available: limit.min_available }),
  };
}
