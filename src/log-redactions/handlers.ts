import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import { listReply } from '../platform/http/reply/list.ts';
import { replacementOf, type LogRedaction, type LogRedactionService } from './service.ts';
import type { TestedMessage } from './trial.ts';

type Schemas = components['schemas'];

export const logRedactionHandlers = (redactions: (db: Knex) => LogRedactionService) =>
  ({
    listLogRedactions: ({ caller, db, query }) => listReply(query, (page) => redactions(db).list(caller.orgId, page)),

    async getLogRedaction({ caller, db, params }) {
      return { status: 200, body: { data: toWire(await redactions(db).get(caller.orgId, params.id)) } };
    },

    async createLogRedaction({ caller, db, body }) {
      const { name, pattern, replacement, enabled = true } = body;
      const rule = toWire(await redactions(db).create(caller.orgId, { name, pattern, replacement, enabled }));
      return {
        status: 201,
        body: { data: rule },
        audit: { ...about(caller.orgId, rule), after: rule },
        announce: changed(caller.orgId),
      };
    },

    async updateLogRedaction({ caller, db, params, body }) {
      const { before, after } = await redactions(db).update(caller.orgId, params.id, body);
      const rule = toWire(after);
      return {
        status: 200,
        body: { data: rule },
        audit: { ...about(caller.orgId, rule), before: toWire(before), after: rule },
        announce: changed(caller.orgId),
      };
    },

    async deleteLogRedaction({ caller, db, params }) {
      const rule = toWire(await redactions(db).delete(caller.orgId, params.id));
      return {
        status: 200,
        body: { data: rule },
        audit: { ...about(caller.orgId, rule), before: rule },
        announce: changed(caller.orgId),
      };
    },

    async testLogRedaction({ caller, db, body: { pattern, replacement = '[redacted]', messages } }) {
      const tested = await redactions(db).test(caller.orgId, { pattern, replacement }, messages);
      const matched = tested.filter(({ isMatched }) => isMatched).length;
      return { status: 200, body: { data: { matched, results: tested.map(resultToWire) } } };
    },
  }) satisfies Partial<Handlers>;

const changed = (orgId: string) => [{ topic: 'redactions_changed' as const, orgId }];

const about = (orgId: string, rule: Schemas['LogRedaction']) => ({
  orgId,
  objectKind: 'log_redaction',
  objectId: rule.id,
});

const resultToWire = ({ isMatched, message, builtinRule }: TestedMessage): Schemas['LogRedactionTestResult'] => ({
  matched: isMatched,
  message,
  ...(builtinRule !== undefined && { builtin_rule: builtinRule }),
});

const toWire = ({ createdAt, updatedAt, id, builtin, ...settings }: LogRedaction): Schemas['LogRedaction'] => ({
  id,
  ...settings,
  replacement: replacementOf(settings),
  builtin,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
