import type { Knex } from 'knex';
import { isId } from '../kernel/ids.ts';
import { fleetService } from '../fleets/service.ts';
import { robotService } from '../robots/service.ts';
import { decodePosition, decodeSeq, type LogPage, type LogQuery } from './model.ts';
import type { LogOrder, LogScope } from './history.ts';
import { openLogObjects } from './objects/bodies.ts';
import { logReader } from './reader.ts';
import { readLogRows, type LogReading } from './rows.ts';
import { logSearch, type SearchPage } from './search.ts';
import { decodeSearch } from './search-cursor.ts';

export type { LinkRef, LogOutcome } from './batch.ts';
export { createLogIngest, type LogIngest } from './ingest.ts';
export type { KeptFrame } from './normalise.ts';
export { logFollows } from './following.ts';
export { liveLogs, type LiveLogs } from '../live/logs/service.ts';
export { openLogObjects, type LogReading };
export { unmergedLogs } from './erasing.ts';
export { objectErasing } from './objects/erasing.ts';
export { streamCache } from './segments/stream-cache.ts';
export { keyOf as logObjectKey } from './objects/keys.ts';
export { logRoom } from './room.ts';
export { logStorage } from './storage.ts';
export { logUpkeep } from './upkeep.ts';
export { findUnmerged } from './segments/unmerged.ts';

export type LogService = ReturnType<typeof logService>;

export function logService(db: Knex, reading: LogReading) {
  const rows = { db, ...reading };
  const read = (scope: LogScope, query: LogQuery, page: (reader: ReturnType<typeof logReader>) => Promise<LogPage>) =>
    readLogRows(rows, (from) => page(logReader(from, scope, query)));

  /** The fleets whose records are meant; undefined for all. */
  async function fleetsOf(orgId: string, { fleetId, siteId }: SearchFilter): Promise<readonly string[] | undefined> {
    if (siteId === undefined) return fleetId === undefined ? undefined : [fleetId];
    const ids = await fleetService(db).idsOfSite(orgId, siteId);
    return fleetId === undefined ? ids : ids.filter((id) => id === fleetId);
  }

  return {
    /** The latest records, or those after `after`. @throws not_found, bad_request for a foreign cursor */
    async listForRobot(
      orgId: string,
      robotId: string,
      { after, cursor, ...query }: LogQuery & { after?: number | undefined; cursor?: string | undefined },
    ): Promise<LogPage> {
      const before = cursor === undefined || after !== undefined ? undefined : decodePosition(cursor);
      const start = cursor === undefined || after === undefined ? after : decodeSeq(cursor);
      await robotService(db).get(orgId, robotId);
      return read({ orgId, robotId }, query, (reader) =>
        start === undefined ? reader.latest(before) : reader.following({ seq: start }),
      );
    },

    /** The latest records of the robots that sent them as part of the fleet. @throws not_found, bad_request for a foreign cursor */
    async listForFleet(
      orgId: string,
      fleetId: string,
      { cursor, ...query }: LogQuery & { cursor?: string | undefined },
    ): Promise<LogPage> {
      const before = cursor === undefined ? undefined : decodePosition(cursor);
      await fleetService(db).get(orgId, fleetId);
      return read({ orgId, fleetIds: [fleetId] }, query, (reader) => reader.latest(before));
    },

    /**
     * The records of the org that match, in the order asked for. A site stands for its fleets. IDs that the org does
     * not have match nothing, and those of removed robots and fleets what is left of them.
     * @throws bad_request for a foreign cursor
     */
    async search(
      orgId: string,
      filter: SearchFilter,
      { order, cursor, ...query }: LogQuery & { order: LogOrder; cursor?: string | undefined },
    ): Promise<SearchPage> {
      const start = cursor === undefined ? undefined : decodeSearch(order, cursor);
      const { robotId, fleetId, siteId } = filter;
      const isKnown = [robotId, fleetId, siteId].every((id) => id === undefined || isId(id));
      const fleetIds = isKnown ? await fleetsOf(orgId, filter) : [];
      if (fleetIds?.length === 0) return { records: [], next: undefined };
      return readLogRows(rows, (from) =>
        logSearch(from, { scope: { orgId, robotId, fleetIds }, query, order }).page(start),
      );
    },
  };
}

/** Whose records; all must hold. */
interface SearchFilter {
  robotId?: string | undefined;
  fleetId?: string | undefined;
  siteId?: string | undefined;
}
