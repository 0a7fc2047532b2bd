import type { Knex } from 'knex';
import { conflict, notFound } from '../kernel/errors.ts';
import { readLabels } from '../kernel/label-selector.ts';
import { fleetService } from '../fleets/service.ts';
import { lockOrg } from '../platform/db/lock-org.ts';
import { robotService } from '../robots/service.ts';
import { siteService } from '../sites/service.ts';
import { checkRule } from './compile.ts';
import { historyStore } from './history-store.ts';
import { matchRobots, type Matches } from './matches.ts';
import {
  maxRules,
  type ConditionRule,
  type MaintenanceWindow,
  type RuleSettings,
  type Scope,
  type WindowTarget,
} from './model.ts';
import { reviewStore, type ReviewScope } from './review-store.ts';
import { ruleStore } from './rule-store.ts';
import { toSummary } from './summary.ts';
import { summaryStore } from './summary-store.ts';
import { windowStore } from './window-store.ts';

export { createConditionEngine, type ConditionPort } from './engine.ts';
export type { ConditionRule, MaintenanceWindow, RobotCondition } from './model.ts';
export type { Watch as ConditionWatch } from './observer.ts';

export type ConditionService = ReturnType<typeof conditionService>;

/** `db`: a transaction, if the call changes something. The review of a change is requested in it. */
export function conditionService(db: Knex) {
  const rules = ruleStore(db);
  const windows = windowStore(db);

  /** @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<ConditionRule> {
    const rule = await rules.find(orgId, id, options);
    if (!rule) throw notFound('condition rule');
    return rule;
  }

  /** @throws not_found for another org's site or fleet, bad_request for an invalid selector */
  async function checkScope(orgId: string, scope: Scope): Promise<void> {
    if (scope.kind === 'site') await siteService(db).get(orgId, scope.id);
    else if (scope.kind === 'fleet') await fleetService(db).get(orgId, scope.id);
    else if (scope.kind === 'label') readLabels('body.scope.selector', scope.selector);
  }

  const review = (orgId: string, scope: ReviewScope) => reviewStore(db).request(orgId, scope);

  return {
    get,
    list: rules.list,
    history: historyStore(db),
    windows: windows.list,

    /** The numbers of robots by health, of the org and of its sites, fleets and conditions, in wire format. */
    async healthSummary(orgId: string) {
      const summary = summaryStore(db);
      return toSummary(
        ...(await Promise.all([summary.fleets(orgId), summary.sites(orgId), summary.conditions(orgId)])),
      );
    },

    /** @throws bad_request, not_found for the site or fleet, conflict if the org has as many rules as it can have */
    async create(orgId: string, settings: RuleSettings): Promise<ConditionRule> {
      checkRule(settings);
      await checkScope(orgId, settings.scope);
      await lockOrg(db, orgId);
      if ((await rules.count(orgId)) >= maxRules)
        throw conflict(`the org has ${maxRules} condition rules; delete one first`);
      const rule = await rules.create(orgId, settings);
      await review(orgId, reviewScope(rule.scope));
      return rule;
    },

    /** Returns the rule before and after. @throws bad_request, not_found */
    async update(
      orgId: string,
      id: string,
      change: { [Name in keyof RuleSettings]?: RuleSettings[Name] | undefined },
    ): Promise<{ before: ConditionRule; after: ConditionRule }> {
      const before = await get(orgId, id, { lock: true });
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const settings: RuleSettings = { ...before, ...given, ...('clear' in change && { clear: change.clear }) };
      checkRule(settings);
      await checkScope(orgId, settings.scope);
      const after = await rules.update(orgId, before.id, settings);
      if (!after) throw notFound('condition rule');
      for (const scope of scopesOf(before, after)) await review(orgId, scope);
      return { before, after };
    },

    /** Returns the deleted rule. @throws not_found */
    async delete(orgId: string, id: string): Promise<ConditionRule> {
      const rule = await get(orgId, id, { lock: true });
      await rules.delete(orgId, rule.id);
      await review(orgId, reviewScope(rule.scope));
      return rule;
    },

    /** The robots that an expression matches now. @throws bad_request */
    async match(
      orgId: string,
      { expression, ...place }: { expression: string; siteId?: string; fleetId?: string; label?: string },
    ): Promise<Matches> {
      checkRule({ expression, clear: undefined }, 'query');
      return matchRobots(db, orgId, expression, place);
    },

    /** `hours`: as the contract allows. @throws not_found for the target */
    async startMaintenance(
      orgId: string,
      { target, hours, reason }: { target: WindowTarget; hours: number; reason: string },
    ): Promise<MaintenanceWindow> {
      if (target.kind === 'site') await siteService(db).get(orgId, target.id);
      else if (target.kind === 'fleet') await fleetService(db).get(orgId, target.id);
      else await robotService(db).get(orgId, target.id);
      const window = await windows.create(orgId, { target, reason, hours });
      await review(orgId, { [`${target.kind}Id`]: target.id });
      return window;
    },

    /** Ends a window; `isNew` is false if it had ended before. @throws not_found */
    async endMaintenance(orgId: string, id: string): Promise<{ window: MaintenanceWindow; isNew: boolean }> {
      const known = await windows.find(orgId, id);
      if (!known) throw notFound('maintenance window');
      const ended = await windows.end(orgId, id);
      if (!ended) return { window: (await windows.find(orgId, id)) ?? known, isNew: false };
      await review(orgId, { [`${ended.target.kind}Id`]: ended.target.id });
      return { window: ended, isNew: true };
    },
  };
}

const reviewScope = (scope: Scope): ReviewScope =>
  scope.kind === 'site' ? { siteId: scope.id } : scope.kind === 'fleet' ? { fleetId: scope.id } : {};

/** The robots that a changed rule concerned, and those that it concerns now. */
function scopesOf({ scope: one }: ConditionRule, { scope: other }: ConditionRule): ReviewScope[] {
  const scopes = [reviewScope(one), reviewScope(other)];
  return JSON.stringify(scopes[0]) === JSON.stringify(scopes[1]) ? scopes.slice(1) : scopes;
}
