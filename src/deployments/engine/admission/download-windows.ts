import type { Knex } from 'knex';
import { windowState } from '../../../kernel/calendar/windows.ts';
import { windowFor, type Rollout } from '../../../rollout-policies/service.ts';

/** Robots that may not download now. */
export interface ClosedWindows {
  zones: string[]; // of their agents; empty for those without one
  opensAt: Date | undefined; // when the first of them may; undefined: not known
}

/** In which zones the download windows of a rollout are closed now; undefined if it has none, or if they are open everywhere. */
export async function readClosedWindows(
  trx: Knex,
  orgId: string,
  { windows }: Rollout,
  now: Date,
): Promise<ClosedWindows | undefined> {
  const window = windows && windowFor('download', windows);
  if (!window) return undefined;
  const { rows } = await trx.raw<{ rows: { zone: string }[] }>(
    `select distinct coalesce(timezone, '') as zone from robot_links where org_id = ?`,
    [orgId],
  );
  const states = rows.map(({ zone }) => ({ zone, state: windowState(window, now, zone || undefined) }));
  const closed = states.flatMap(({ zone, state }) => (state.isOpen ? [] : [{ zone, opensAt: state.opensAt }]));
  if (closed.length === 0) return undefined;
  const opening = closed.flatMap(({ opensAt }) => (opensAt ? [opensAt.getTime()] : []));
  return {
    zones: closed.map(({ zone }) => zone),
    opensAt: opening.length > 0 ? new Date(Math.min(...opening)) : undefined,
  };
}
