import type { Knex } from 'knex';
import { compileRule } from './compile.ts';
import type { CompiledRule } from './model.ts';
import { ruleStore } from './rule-store.ts';

export type RuleCache = ReturnType<typeof ruleCache>;

/** How long rules are used while no hints arrive. */
const withoutHintsMs = 30_000;

/** The enabled rules of orgs, compiled, until they change. `bus.up`: whether its hints say so. */
export function ruleCache(db: Knex, bus: { readonly up: boolean }) {
  const byOrg = new Map<string, { rules: readonly CompiledRule[]; readMs: number }>();
  /** Counts changes: rules that were read before one are not kept. */
  let changes = 0;

  function find(orgId: string): readonly CompiledRule[] | undefined {
    const known = byOrg.get(orgId);
    return known && (bus.up || performance.now() - known.readMs < withoutHintsMs) ? known.rules : undefined;
  }

  return {
    /** The rules of an org; undefined if they are not loaded. */
    find,

    /** Loads the rules of orgs as far as necessary. */
    async load(orgIds: readonly string[]): Promise<void> {
      const wanted = [...new Set(orgIds)].filter((orgId) => !find(orgId));
      if (wanted.length === 0) return;
      const before = changes;
      const rules = await ruleStore(db).enabled(wanted);
      if (changes !== before) return; // the next run reads them
      const readMs = performance.now();
      for (const orgId of wanted)
        byOrg.set(orgId, { rules: rules.filter((rule) => rule.orgId === orgId).map(compileRule), readMs });
    },

    changed(orgId: string): void {
      changes += 1;
      byOrg.delete(orgId);
    },

    allChanged(): void {
      changes += 1;
      byOrg.clear();
    },
  };
}
