import type { Knex } from 'knex';
import { newId } from '../../src/kernel/ids.ts';
import { logService, openLogObjects, streamCache } from '../../src/logs/service.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { createLogger } from '../../src/platform/logging.ts';
import type { ObjectStore } from '../../src/platform/s3/object-store.ts';

const dayMs = 86_400_000;
const chunksPerRobot = 10;
const recordsPerChunk = 5;

/** So many past days of log records of an org, each of two robots of its own, as merging leaves them. */
export async function logDays(db: Knex, store: ObjectStore, count: number) {
  const [orgId, siteId, fleetId] = [newId(), newId(), newId()];
  await db('orgs').insert({ id: orgId, name: 'Org', status: 'approved', approved_at: new Date() });
  await db('sites').insert({ org_id: orgId, id: siteId, name: 'Osaka' });
  await db('fleets').insert({ org_id: orgId, id: fleetId, site_id: siteId, name: 'pickers' });
  const objects = await openLogObjects(db, { store, log: createLogger('silent', []), readersAtOnce: 4 });
  const logs = logService(db, { objects, streams: streamCache() });
  const partitions = logPartitions(db);
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  let days = 0;

  async function readRobot(robotId: string): Promise<string[]> {
    const messages: string[] = [];
    for (let cursor: string | undefined, isAll = false; !isAll;) {
      const page = await logs.listForRobot(orgId, robotId, { after: 0, cursor, limit: 1_000 });
      messages.push(...page.records.map(({ kept }) => kept.message));
      cursor = page.next;
      isAll = cursor === undefined;
    }
    return messages;
  }

  return {
    orgId,

    /** Writes the records of the next day. */
    async add(): Promise<LogDay> {
      const startMs = today - (count + 2 - days) * dayMs;
      days += 1;
      await partitions.make([startMs]);
      const robotIds = [newId(), newId()];
      for (const [index, robotId] of robotIds.entries()) {
        const name = `amr-${days}-${index}`;
        await db('robots').insert({
          org_id: orgId,
          id: robotId,
          name,
          site_id: siteId,
          fleet_id: fleetId,
          enrollment_key_id: newId(),
          created_at: new Date(),
        });
        await db('log_chunks').insert(
          Array.from({ length: chunksPerRobot }, (_each, chunk) => {
            const at = new Date(startMs + (chunk + 1) * 3_600_000);
            const first = chunk * recordsPerChunk + 1;
            const lines = numbersFrom(first, recordsPerChunk).map((seq) => lineOf(messageOf(robotId, seq)));
            const body = Buffer.from(lines.join(''));
            return {
              org_id: orgId,
              robot_id: robotId,
              fleet_id: fleetId,
              first_at: at,
              received_at: at,
              first_seq: first,
              last_seq: first + recordsPerChunk - 1,
              records: recordsPerChunk,
              bytes: body.length,
              max_level: 2,
              body,
            };
          }),
        );
      }
      return { startMs, robotIds };
    },

    /** The messages of the robots of a day, as they are read. */
    read: ({ robotIds }: LogDay): Promise<string[][]> => Promise.all(robotIds.map(readRobot)),

    /** Whether it is in the database. */
    isHere: async ({ startMs }: LogDay): Promise<boolean> => (await partitions.list()).includes(startMs),
  };
}

export interface LogDay {
  startMs: number;
  robotIds: readonly string[];
}

/** What is to be read of a day. */
export const messagesOf = ({ robotIds }: LogDay): string[][] =>
  robotIds.map((robotId) => numbersFrom(1, chunksPerRobot * recordsPerChunk).map((seq) => messageOf(robotId, seq)));

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_each, index) => first + index);
const messageOf = (robotId: string, seq: number) => `${robotId} ${seq}`;
const lineOf = (message: string) => `${JSON.stringify({ level: 'info', source: 'journal', message })}\n`;
