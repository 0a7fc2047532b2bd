import type { Segment } from '../components/line.ts';
import type { Snapshot } from '../data/freshness.ts';
import type { Readable } from '../data/store.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Signs, Tone } from '../theme.ts';
import type { Health } from './robot-rows.ts';
import { siteRows, type SiteRow } from './site-rows.ts';

export interface FleetRow extends SiteRow {
  /** Its name, with its site if several fleets have the name, as in `Osaka/pickers`. */
  label: string;
}

/** Fleets: those with most unhealthy robots first, then most degraded ones, most unknown ones, and by name. */
export const fleetRows = perUi((ui): Readable<Snapshot<readonly FleetRow[]>> => {
  const { fleets: listed } = ui.data;
  const made = derivedRows(siteRows(ui), [], (rows): FleetRow[] => {
    const fleets = rows.filter(({ kind }) => kind === 'fleet');
    const named = new Map<string, number>();
    for (const { name } of fleets) named.set(name.toLowerCase(), (named.get(name.toLowerCase()) ?? 0) + 1);
    return fleets
      .map((row) => ({
        ...row,
        label: (named.get(row.name.toLowerCase()) ?? 0) > 1 ? `${row.site}/${row.name}` : row.name,
      }))
      .sort(
        ({ health: one }, { health: other }) =>
          other.unhealthy - one.unhealthy || other.degraded - one.degraded || other.unknown - one.unknown,
      );
  });
  return {
    subscribe: made.subscribe,
    // Sites without their fleets would look like an org that has none.
    get: () => (listed.get().value === undefined ? { ...listed.get(), value: undefined } : made.get()),
  };
});

/** From good to bad, the order of a bar. */
const healths: readonly Health[] = ['healthy', 'degraded', 'unhealthy', 'unknown'];

export const healthTones: Readonly<Record<Health, Tone>> = {
  healthy: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
  unknown: 'quiet',
};

/** A state has its own sign, so that a bar is readable without colors. */
const signOf = (health: Health, signs: Signs): string => (health === 'healthy' ? signs.share : signs[health]);

/** The shares of robots by health. However small it is, no share is left out if there is room for all. */
export function healthBar({ total, health, isKnown }: SiteRow, width: number, signs: Signs): Segment[] {
  if (!isKnown) return [];
  if (total === 0) return [{ text: 'no robots', tone: 'quiet' }];
  const cells = sharesOf(
    healths.map((each) => health[each]),
    width,
  );
  return healths.flatMap((each, index) => {
    const count = cells[index] ?? 0;
    return count === 0 ? [] : [{ text: signOf(each, signs).repeat(count), tone: healthTones[each] }];
  });
}

/** `✗ 2 ▲ 1 ? 4`: numbers of robots that are unhealthy, degraded and unknown. */
export const notHealthy = ({ health, isKnown }: SiteRow, signs: Signs): Segment[] =>
  (['unhealthy', 'degraded', 'unknown'] as const)
    .filter((each) => isKnown && health[each] > 0)
    .map((each, index) => ({
      text: `${index === 0 ? '' : ' '}${signs[each]} ${health[each].toLocaleString('en-US')}`,
      tone: healthTones[each],
    }));

/** Whole cells in proportion to the counts, at least one for each that is not 0. The largest gives what is missing. */
function sharesOf(counts: readonly number[], width: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const cells = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.round((count / total) * width))));
  for (let rest = width - cells.reduce((sum, count) => sum + count, 0); rest !== 0; rest -= Math.sign(rest)) {
    const largest = cells.indexOf(Math.max(...cells));
    cells[largest] = (cells[largest] ?? 0) + Math.sign(rest);
  }
  return cells;
}
