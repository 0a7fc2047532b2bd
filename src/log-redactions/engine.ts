import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Bus } from '../platform/bus/bus.ts';
import { builtinRedactor, type BuiltinRedactor } from './builtin.ts';
import type { PatternRule, Redactor, Said } from './model.ts';
import { replacementOf } from './model.ts';
import type { Redacted } from './record.ts';
import { redactionStore } from './store.ts';
import { patternThread, PatternsTooSlow } from './thread.ts';
import { testRule, type TestedMessage } from './trial.ts';
import { orgTurns } from './turns.ts';

/** Removes secrets from the log records of all orgs, before they are stored. */
export interface RecordRedaction {
  /** Of an org without rules of its own; undefined if records must be prepared. */
  find(orgId: string): Redactor | undefined;
  /** Applies the rules of the org itself. @throws Error if they cannot be read */
  prepare(orgId: string, said: readonly Said[]): Promise<Prepared>;
}

interface Prepared {
  /** What is left of each, for those that changed. */
  redacted: readonly (Redacted | undefined)[];
  /** For the built-in rules, which are not applied yet. */
  redactor: Redactor;
}

interface OrgRules {
  rules: readonly PatternRule[];
  redactor: BuiltinRedactor;
  key: string;
  readMs: number;
  withheld: { untilMs: number; because: string }; // what its rules did
}

interface EngineSettings {
  db: Knex;
  bus: Bus;
  log: Logger;
  threadFile: string;
  onWithheld(records: number): void;
  /** How long reading is retried while the database is unavailable, in ms. Default 15,000. */
  retryForMs?: number;
}

/** How long rules are used while no hints arrive. */
const withoutHintsMs = 30_000;
const retryEveryMs = 500;
/** A thread that is busy with one org keeps the others waiting. */
const withholdForMs = 60_000;
const isWithheld = ({ withheld }: OrgRules): boolean => performance.now() < withheld.untilMs;

/** For an org of which nothing is known. */
export function onlyBuiltin(): RecordRedaction {
  const redactor = builtinRedactor();
  return { find: () => redactor, prepare: async () => ({ redacted: [], redactor }) };
}

/**
 * The rules of each org are read once and kept until they change. Until they are known, its records wait: none is stored
 * without them. The built-in rules are applied where records arrive, those of orgs in a thread. A record on which the
 * rules of its org take too long, or fail, is stored without its message and fields.
 */
export function createRedactionEngine({ db, bus, log, threadFile, onWithheld, retryForMs = 15_000 }: EngineSettings) {
  const thread = patternThread(threadFile);
  const turns = orgTurns(); // at the thread
  const checks = patternThread(threadFile); // a slow one keeps no records waiting
  const tests = patternThread(threadFile); // a slow one keeps no change of a rule waiting
  const byOrg = new Map<string, OrgRules>();
  const reading = new Map<string, Promise<OrgRules>>();
  let reads = 0;
  let isStopped = false;

  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'redactions_changed') forget([hint.orgId]);
    },
    reset: () => forget([...byOrg.keys(), ...reading.keys()]),
  });

  /** A read that is under way may miss the change: its result is for those that wait for it. */
  function forget(orgIds: readonly string[]): void {
    for (const orgId of orgIds) {
      byOrg.delete(orgId);
      reading.delete(orgId);
    }
  }

  function known(orgId: string): OrgRules | undefined {
    const found = byOrg.get(orgId);
    return found && (bus.up || performance.now() - found.readMs < withoutHintsMs) ? found : undefined;
  }

  function read(orgId: string): Promise<OrgRules> {
    const running = reading.get(orgId);
    if (running) return running;
    const started = readAndKeep();
    reading.set(orgId, started);
    return started;

    async function readAndKeep(): Promise<OrgRules> {
      try {
        const rules = await readWithRetry(orgId);
        if (reading.get(orgId) === started) byOrg.set(orgId, rules);
        return rules;
      } finally {
        if (reading.get(orgId) === started) reading.delete(orgId);
      }
    }
  }

  async function readWithRetry(orgId: string): Promise<OrgRules> {
    const giveUpAt = performance.now() + retryForMs;
    for (;;)
      try {
        const readMs = performance.now();
        const all = await redactionStore(db).all(orgId);
        const rules = all
          .filter(({ builtin, enabled }) => enabled && !builtin)
          .map((rule) => ({ pattern: rule.pattern, replacement: replacementOf(rule) }));
        const disabled = all.filter(({ builtin, enabled }) => builtin && !enabled).map(({ name }) => name);
        const redactor = builtinRedactor(new Set(disabled));
        return { rules, redactor, key: `${orgId} ${(reads += 1)}`, readMs, withheld: { untilMs: 0, because: '' } };
      } catch (error) {
        if (performance.now() + retryEveryMs > giveUpAt) throw error;
        await sleep(retryEveryMs);
      }
  }

  async function apply(orgId: string, org: OrgRules, said: readonly Said[]): Promise<Prepared['redacted']> {
    if (org.rules.length === 0) return [];
    // They may be withheld when it is their turn: the rules may take too long on those before them.
    const work = async () => (isWithheld(org) ? undefined : await applyInThread(orgId, org, said));
    const redacted = isWithheld(org) ? undefined : await turns.take(orgId, work);
    if (redacted) return redacted;
    onWithheld(said.length);
    return said.map(() => ({
      message: `[withheld: the log redaction rules of the org ${org.withheld.because}]`,
      isCut: false,
    }));
  }

  /** Undefined if the rules take too long or fail. @throws Error if the service stops */
  async function applyInThread(orgId: string, org: OrgRules, said: readonly Said[]) {
    const { key, rules } = org;
    try {
      return (await thread.do({ kind: 'redact', key, rules, said })).redacted;
    } catch (error) {
      if (isStopped) throw error;
      const because = error instanceof PatternsTooSlow ? 'took too long' : 'failed';
      org.withheld = { untilMs: performance.now() + withholdForMs, because };
      log.error(
        { err: error, org: orgId },
        `log redaction rules ${because}; for 60 s, log records of the org are stored without message and fields`,
      );
      return undefined;
    }
  }

  return {
    find(orgId) {
      const org = known(orgId);
      return org?.rules.length === 0 ? org.redactor : undefined;
    },

    async prepare(orgId, said) {
      const org = known(orgId) ?? (await read(orgId));
      return { redacted: await apply(orgId, org, said), redactor: org.redactor };
    },

    /** Why a pattern is not accepted; undefined if it is. @throws PatternsTooSlow */
    check: async (pattern: string): Promise<string | undefined> => (await checks.do({ kind: 'check', pattern })).fault,

    /** What would be stored of messages if the org had one more rule, its last. @throws PatternsTooSlow */
    async test(orgId: string, rule: PatternRule, messages: readonly string[]): Promise<TestedMessage[]> {
      const { rules, redactor } = known(orgId) ?? (await read(orgId));
      const apply = async (all: readonly PatternRule[], said: readonly Said[]) =>
        (await tests.do({ kind: 'redact', key: JSON.stringify(all), rules: all, said })).redacted;
      return testRule({ rules, redactor, rule, apply }, messages);
    },

    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all([thread, checks, tests].map((each) => each.end()));
    },
  } satisfies RecordRedaction & { check: unknown; test: unknown; stop: unknown };
}
