import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import { badRequest } from '../kernel/errors.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { listReply } from '../platform/http/reply/list.ts';
import { durationText } from '../kernel/duration.ts';
import { intervalSeconds } from './history-store.ts';
import { readFor } from './compile.ts';
import type { ConditionRule, MaintenanceWindow, Scope } from './model.ts';
import type { ConditionService } from './service.ts';

type Schemas = components['schemas'];

export const conditionHandlers = (conditions: (db: Knex) => ConditionService) =>
  ({
    listConditionRules: ({ caller, db, query }) => listReply(query, (page) => conditions(db).list(caller.orgId, page)),

    async getConditionRule({ caller, db, params }) {
      return { status: 200, body: { data: ruleToWire(await conditions(db).get(caller.orgId, params.id)) } };
    },

    async createConditionRule({ caller, db, body }) {
      const rule = ruleToWire(
        await conditions(db).create(caller.orgId, {
          name: body.name,
          scope: body.scope ? readScope(body.scope) : { kind: 'org' },
          expression: body.expression,
          forSeconds: body.for === undefined ? 0 : readFor(body.for),
          clear: body.clear || undefined,
          severity: body.severity,
          enabled: body.enabled ?? true,
        }),
      );
      return {
        status: 201,
        body: { data: rule },
        audit: { ...about(caller.orgId, rule), after: rule },
        announce: changed(caller.orgId),
      };
    },

    async updateConditionRule({ caller, db, params, body }) {
      const { before, after } = await conditions(db).update(caller.orgId, params.id, {
        name: body.name,
        scope: body.scope && readScope(body.scope),
        expression: body.expression,
        forSeconds: body.for === undefined ? undefined : readFor(body.for),
        ...('clear' in body && { clear: body.clear || undefined }),
        severity: body.severity,
        enabled: body.enabled,
      });
      const rule = ruleToWire(after);
      return {
        status: 200,
        body: { data: rule },
        audit: { ...about(caller.orgId, rule), before: ruleToWire(before), after: rule },
        announce: changed(caller.orgId),
      };
    },

    async deleteConditionRule({ caller, db, params }) {
      const rule = ruleToWire(await conditions(db).delete(caller.orgId, params.id));
      return {
        status: 200,
        body: { data: rule },
        audit: { ...about(caller.orgId, rule), before: rule },
        announce: changed(caller.orgId),
      };
    },

    async listConditionMatches({ caller, db, query }) {
      const { expression, site_id: siteId, fleet_id: fleetId, label } = query;
      const found = await conditions(db).match(caller.orgId, {
        expression,
        ...(siteId !== undefined && { siteId }),
        ...(fleetId !== undefined && { fleetId }),
        ...(label !== undefined && { label }),
      });
      const items = found.items.map(({ robotId, robotName, message }) => ({
        robot_id: robotId,
        robot_name: robotName,
        message,
      }));
      return { status: 200, body: { ...found, items, truncated: found.matches > items.length } };
    },

    async getHealthSummary({ caller, db }) {
      return { status: 200, body: { data: await conditions(db).healthSummary(caller.orgId) } };
    },

    async getHealthHistory({ caller, db }) {
      const points = (await conditions(db).history.read(caller.orgId)).map(({ at, ...counts }) => ({
        at: at.toISOString(),
        ...counts,
        unknown: counts.total - counts.healthy - counts.degraded - counts.unhealthy,
      }));
      return { status: 200, body: { data: { interval_seconds: intervalSeconds, points } } };
    },

    listMaintenanceWindows: ({ caller, db, query }) =>
      listReply(query, (page) => conditions(db).windows(caller.orgId, { isOpen: query.active }, page)),

    async createMaintenanceWindow({ caller, db, body }) {
      const { target_kind: kind, target_id: id, hours, reason } = body;
      const window = windowToWire(
        await conditions(db).startMaintenance(caller.orgId, { target: { kind, id }, hours, reason }),
      );
      return {
        status: 201,
        body: { data: window },
        audit: { orgId: caller.orgId, objectKind: 'maintenance_window', objectId: window.id, after: window },
        announce: changed(caller.orgId),
      };
    },

    async endMaintenanceWindow({ caller, db, params }) {
      const { window, isNew } = await conditions(db).endMaintenance(caller.orgId, params.id);
      const wire = windowToWire(window);
      return {
        status: 200,
        body: { data: wire },
        audit: isNew
          ? { orgId: caller.orgId, objectKind: 'maintenance_window', objectId: wire.id, after: wire }
          : 'unchanged',
        announce: changed(caller.orgId),
      };
    },
  }) satisfies Partial<Handlers>;

const changed = (orgId: string) => [{ topic: 'conditions_changed' as const, orgId }];

const about = (orgId: string, rule: Schemas['ConditionRule']) => ({
  orgId,
  objectKind: 'condition_rule',
  objectId: rule.id,
});

/** @throws bad_request if a field that the kind needs is missing, or one that it does not take is present */
function readScope({ kind, id, selector }: Schemas['ConditionScopeChoice']): Scope {
  const isPlace = kind === 'site' || kind === 'fleet';
  if (isPlace !== (id !== undefined))
    throw badRequest(`body.scope.id: ${isPlace ? `required for kind ${kind}` : `not allowed for kind ${kind}`}`);
  if ((kind === 'label') !== (selector !== undefined))
    throw badRequest(
      `body.scope.selector: ${kind === 'label' ? 'required for kind label' : `not allowed for kind ${kind}`}`,
    );
  if (isPlace && id !== undefined) return { kind, id };
  return selector === undefined ? { kind: 'org' } : { kind: 'label', selector };
}

const ruleToWire = (rule: ConditionRule): Schemas['ConditionRule'] => ({
  id: rule.id,
  name: rule.name,
  scope: rule.scope,
  expression: rule.expression,
  for: durationText(rule.forSeconds),
  ...(rule.clear === undefined ? {} : { clear: rule.clear }),
  severity: rule.severity,
  enabled: rule.enabled,
  builtin: rule.builtin,
  created_at: rule.createdAt.toISOString(),
  updated_at: rule.updatedAt.toISOString(),
});

const windowToWire = (window: MaintenanceWindow): Schemas['MaintenanceWindow'] => ({
  id: window.id,
  target_kind: window.target.kind,
  target_id: window.target.id,
  reason: window.reason,
  created_at: window.createdAt.toISOString(),
  ends_at: window.endsAt.toISOString(),
  ...(window.endedAt ? { ended_at: window.endedAt.toISOString() } : {}),
});
