import type { Region } from './live-page.ts';

/** How long a region is shown again without a new look at the database. */
const freshMs = 1_000;
/** Orgs whose region is kept; beyond that, the one asked for longest ago goes. */
const maxOrgs = 200;

/** One computation per org and second for all open pages. Requests during a computation share it. */
export function overviewCache(compute: (orgId: string) => Promise<Region>) {
  const entries = new Map<string, { region: Promise<Region>; until: number }>();
  return (orgId: string): Promise<Region> => {
    const known = entries.get(orgId);
    entries.delete(orgId);
    const entry = known && performance.now() < known.until ? known : begin(orgId);
    entries.set(orgId, entry);
    for (const [oldest] of entries) {
      if (entries.size <= maxOrgs) break;
      entries.delete(oldest);
    }
    return entry.region;
  };

  function begin(orgId: string) {
    const entry = { region: compute(orgId), until: Infinity };
    entry.region.then(
      () => (entry.until = performance.now() + freshMs),
      () => (entry.until = 0), // the next request tries again
    );
    return entry;
  }
}
