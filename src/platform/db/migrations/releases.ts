/** The last migration of each release, oldest first. `npm run release:prepare` adds a line. */
export const lastMigrations: Readonly<Record<string, string>> = {
  '0.1.0': '0017_hot_updates',
};

/** The last migration with which the release before it cannot start. */
const lastIncompatible = '0063_org_quotas';

/**
 * The migrations that a release must know to start: those of the release before the newest migrations, and everything up to
 * `incompatible`. With the others, that release still starts.
 */
export function requiredMigrations(
  known: readonly string[],
  released: readonly string[] = Object.values(lastMigrations),
  incompatible = lastIncompatible,
): Set<string> {
  const previous = released.findLast((name) => name !== known.at(-1)) ?? '';
  return new Set(known.slice(0, Math.max(known.indexOf(previous), known.indexOf(incompatible)) + 1));
}
