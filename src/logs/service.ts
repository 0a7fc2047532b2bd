import type { Knex } from 'knex';
import { fleetService } from '../fleets/service.ts';
import { robotService } from '../robots/service.ts';
import { decodePosition, decodeSeq, type LogPage, type LogQuery } from './model.ts';
import type { LogScope } from './history.ts';
import { logReader } from './reader.ts';

export type { LinkRef, LogOutcome } from './batch.ts';
export { createLogIngest, type LogIngest } from './ingest.ts';
export type { KeptFrame } from './normalise.ts';
export { logFollows } from './following.ts';
export { liveLogs, type LiveLogs } from '../live/logs/service.ts';
export { logUpkeep } from './upkeep.ts';

export type LogService = ReturnType<typeof logService>;

export function logService(db: Knex) {
  /** Merging moves records between rows, so a page is read from one snapshot. */
  const read = (scope: LogScope, query: LogQuery, page: (reader: ReturnType<typeof logReader>) => Promise<LogPage>) =>
    db.transaction((trx) => page(logReader(trx, scope, query)), { isolationLevel: 'repeatable read', readOnly: true });

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
        start === undefined ? reader.latest(before) : reader.following(start),
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
      return read({ orgId, fleetId }, query, (reader) => reader.latest(before));
    },
  };
}
