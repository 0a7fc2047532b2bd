import type { Knex } from 'knex';
import { findAllStreams, findStreams, type StreamOwner } from './streams.ts';

/** Streams in memory, of all orgs together. Each takes about 200 bytes. */
const maxStreams = 200_000;

interface KnownOrg {
  streams: Map<number, StreamOwner>;
  last: number; // the highest number
  size: number; // as it counts in the cache
}

export type StreamCache = ReturnType<typeof streamCache>;

/**
 * The streams of orgs, by number. The number of a stream never changes and is never used again, so only those after the
 * last known one are read. One that was deleted stays here: no segment has its number. The orgs that were read longest ago
 * are forgotten first.
 */
export function streamCache(most = maxStreams) {
  const orgs = new Map<string, KnownOrg>();
  let size = 0;

  function forget(orgId: string): void {
    const known = orgs.get(orgId);
    if (!known) return;
    orgs.delete(orgId);
    size -= known.size;
  }

  function keep(orgId: string, known: KnownOrg): void {
    forget(orgId);
    known.size = known.streams.size + 2; // so many orgs without streams are bounded too
    if (known.size > most) return;
    orgs.set(orgId, known);
    size += known.size;
    for (const id of orgs.keys()) {
      if (size <= most) return;
      forget(id);
    }
  }

  function add(orgId: string, known: KnownOrg, found: ReadonlyMap<number, StreamOwner>): KnownOrg['streams'] {
    for (const [number, owner] of found) {
      known.streams.set(number, owner);
      known.last = Math.max(known.last, number);
    }
    keep(orgId, known);
    return known.streams;
  }

  /**
   * The last known stream is read again. If it is not there, `db` has an older snapshot, or is another database than before:
   * all streams are then read.
   */
  async function update(db: Knex, orgId: string): Promise<KnownOrg['streams']> {
    const known = orgs.get(orgId) ?? newOrg();
    const { last } = known;
    const found = await findAllStreams(db, orgId, last);
    if (isSame(found.get(last), known.streams.get(last))) return add(orgId, known, found);
    return add(orgId, newOrg(), await findAllStreams(db, orgId));
  }

  async function isTooLarge(db: Knex, orgId: string): Promise<boolean> {
    const row = await db<{ org_id: string; streams: number }>('log_orgs').where({ org_id: orgId }).first('streams');
    return (row?.streams ?? 0) > most;
  }

  return {
    /**
     * The streams of an org, or only of some fleets. There may be later ones than in the snapshot of `db`: no segment in it
     * has their numbers, as a stream is committed before the first segment with its records.
     */
    async find(db: Knex, orgId: string, fleetIds?: readonly string[]): Promise<ReadonlyMap<number, StreamOwner>> {
      if (!fleetIds) return update(db, orgId);
      if (!orgs.has(orgId) && (await isTooLarge(db, orgId))) return findStreams(db, { orgId, fleetIds });
      const wanted = new Set(fleetIds);
      return new Map([...(await update(db, orgId))].filter(([, { fleetId }]) => wanted.has(fleetId)));
    },

    /** All streams of an org; undefined if these are too many to keep, so that each use would read them again. */
    async findAll(db: Knex, orgId: string): Promise<ReadonlyMap<number, StreamOwner> | undefined> {
      return !orgs.has(orgId) && (await isTooLarge(db, orgId)) ? undefined : update(db, orgId);
    },
  };
}

const newOrg = (): KnownOrg => ({ streams: new Map(), last: 0, size: 0 });

const isSame = (a: StreamOwner | undefined, b: StreamOwner | undefined): boolean =>
  a?.robotId === b?.robotId && a?.fleetId === b?.fleetId;
