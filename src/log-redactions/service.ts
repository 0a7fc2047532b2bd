import type { Knex } from 'knex';
import { badRequest, conflict, notFound } from '../kernel/errors.ts';
import { lockOrg } from '../platform/db/lock-org.ts';
import type { createRedactionEngine } from './engine.ts';
import {
  maxRules,
  maxTestedBytes,
  slowFault,
  slowTestFault,
  type LogRedaction,
  type PatternRule,
  type RedactionSettings,
} from './model.ts';
import { redactionStore } from './store.ts';
import { PatternsTooSlow } from './thread.ts';
import type { TestedMessage } from './trial.ts';

export { builtinRedactor } from './builtin.ts';
export { createRedactionEngine, onlyBuiltin, type RecordRedaction } from './engine.ts';
export { redactSaid, type Redacted } from './record.ts';
export { replacementOf, type LogRedaction, type Redactor } from './model.ts';

export type LogRedactionService = ReturnType<typeof logRedactionService>;

type Change = { [Name in keyof RedactionSettings]?: RedactionSettings[Name] | undefined };

/** `db`: a transaction, if the call changes something. */
export function logRedactionService(
  db: Knex,
  engine: Pick<ReturnType<typeof createRedactionEngine>, 'check' | 'test'>,
) {
  const rules = redactionStore(db);

  /** With `lock`, locks the rule until the transaction ends. @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<LogRedaction> {
    const rule = await rules.find(orgId, id, options);
    if (!rule) throw notFound('log redaction rule');
    return rule;
  }

  /** @throws bad_request */
  async function checkPattern(pattern: string): Promise<void> {
    const fault = await engine.check(pattern).catch(tooSlow(slowFault));
    if (fault !== undefined) throw badRequest(`body.pattern: ${fault}`);
  }

  /** The other rules of the org, which nobody else changes until the transaction ends. */
  async function others(orgId: string, id?: string): Promise<LogRedaction[]> {
    await lockOrg(db, orgId);
    return (await rules.all(orgId)).filter((rule) => rule.id !== id && !rule.builtin);
  }

  /** @throws bad_request */
  function checkNew(pattern: string, known: readonly LogRedaction[]): void {
    const same = known.find((rule) => rule.pattern === pattern);
    if (same) throw badRequest(`body.pattern: the rule ${same.name} has this pattern already`);
  }

  return {
    get,
    list: rules.list,

    /** @throws bad_request; conflict if the org has as many rules as it can have, or one with this name */
    async create(orgId: string, settings: RedactionSettings): Promise<LogRedaction> {
      await checkPattern(settings.pattern);
      const known = await others(orgId);
      checkNew(settings.pattern, known);
      if (known.length >= maxRules) throw conflict(`the org has ${maxRules} log redaction rules; delete one first`);
      return rules.create(orgId, settings);
    },

    /** Returns the rule before and after. @throws not_found, bad_request, conflict for another rule's name */
    async update(orgId: string, id: string, change: Change): Promise<{ before: LogRedaction; after: LogRedaction }> {
      const { pattern } = change;
      if (pattern !== undefined && (await get(orgId, id)).pattern !== pattern) await checkPattern(pattern);
      const known = await others(orgId, id);
      const before = await get(orgId, id, { lock: true });
      const settings: RedactionSettings = {
        name: change.name ?? before.name,
        pattern: pattern ?? before.pattern,
        replacement: change.replacement ?? before.replacement,
        enabled: change.enabled ?? before.enabled,
      };
      if (before.builtin) checkUnchanged(before, settings);
      checkNew(settings.pattern, known);
      const after = await rules.update(orgId, before.id, settings);
      if (!after) throw notFound('log redaction rule');
      return { before, after };
    },

    /** Returns the deleted rule. @throws not_found, conflict for a built-in rule */
    async delete(orgId: string, id: string): Promise<LogRedaction> {
      const rule = await get(orgId, id, { lock: true });
      if (rule.builtin) throw conflict(`${rule.name} is built in; disable it instead`);
      await rules.delete(orgId, rule.id);
      return rule;
    },

    /** What would be stored of messages with one more rule. @throws bad_request */
    async test(orgId: string, rule: PatternRule, messages: readonly string[]): Promise<TestedMessage[]> {
      const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0);
      if (bytes > maxTestedBytes)
        throw badRequest(`body.messages: have ${bytes} bytes together; at most ${maxTestedBytes} are tested at a time`);
      await checkPattern(rule.pattern);
      const tested = await engine.test(orgId, rule, messages).catch(tooSlow(slowTestFault));
      if (typeof tested === 'string') throw badRequest(`body.pattern: ${tested}`);
      return tested;
    },
  };
}

/** Catches that patterns took too long. */
const tooSlow =
  <Fault>(fault: Fault) =>
  (error: unknown): Fault => {
    if (error instanceof PatternsTooSlow) return fault;
    throw error;
  };

/** @throws bad_request */
function checkUnchanged(before: LogRedaction, after: RedactionSettings): void {
  const changed = (['name', 'pattern', 'replacement'] as const).find((name) => before[name] !== after[name]);
  if (changed !== undefined)
    throw badRequest(`body.${changed}: ${before.name} is built in; of its fields, only enabled can be changed`);
}
