import type { Knex } from 'knex';
import { isId } from '../../kernel/ids.ts';
import type { Page } from '../../kernel/page.ts';
import { noRows, type JsonRows } from '../../platform/db/json-rows.ts';
import { readPage } from '../../platform/db/page.ts';
import type { SessionEnd, SessionFacts } from './model.ts';

const columns = [
  'id',
  'robot_id',
  'user_id',
  'token_id',
  'created_at',
  'ended_at',
  'bytes_from_viewer',
  'bytes_to_viewer',
  'close_code',
  'recorded',
] as const;
const computed = { seconds: 'extract(epoch from ended_at - created_at)::int8' };
type SessionColumn = (typeof columns)[number] | 'seconds';

/** Sessions deleted at a time, each with up to 1,000 chunks, and batches per call: maintenance runs every minute. */
const dropBatch = 20;
const maxDropBatches = 20;

/** Chunks of a recording read at a time: about 0.5 MiB. */
const readAtATime = 8;

export function sessionStore(db: Knex) {
  return {
    async begin({ orgId, id, robotId, userId, tokenId, recorded }: SessionFacts, replicaId: string): Promise<void> {
      await db.raw(
        `insert into shell_sessions (org_id, id, robot_id, user_id, token_id, replica_id, recorded) values (?, ?, ?, ?, ?, ?, ?)
         on conflict do nothing`,
        [orgId, id, robotId, userId ?? null, tokenId, replicaId, recorded],
      );
    },

    /** Also for a session whose start could not be written. */
    async end(
      { orgId, id, robotId, userId, tokenId, recorded }: SessionFacts,
      replicaId: string,
      { seconds, bytesFromViewer, bytesToViewer, closeCode }: SessionEnd,
    ): Promise<void> {
      await db.raw(
        `insert into shell_sessions (org_id, id, robot_id, user_id, token_id, replica_id, recorded,
                                     created_at, ended_at, bytes_from_viewer, bytes_to_viewer, close_code)
         values (?, ?, ?, ?, ?, ?, ?, now() - make_interval(secs => ?), now(), ?, ?, ?)
         on conflict (org_id, id) do update set ended_at = excluded.ended_at, bytes_from_viewer = excluded.bytes_from_viewer,
           bytes_to_viewer = excluded.bytes_to_viewer, close_code = excluded.close_code`,
        [
          ...[orgId, id, robotId, userId ?? null, tokenId, replicaId, recorded],
          ...[seconds, bytesFromViewer, bytesToViewer, closeCode],
        ],
      );
    },

    /** Ends the sessions of dead replicas. */
    async endLeft(): Promise<void> {
      await db.raw(
        `update shell_sessions s set ended_at = now() where s.ended_at is null
           and not exists (select from replicas p where p.id = s.replica_id and p.lease_until > now())`,
      );
    },

    /** Deletes ended sessions that started longer ago, with their recordings. Returns how many. */
    async dropOlder(days: number): Promise<number> {
      let dropped = 0;
      for (let batch = 0; batch < maxDropBatches; batch += 1) {
        const { rowCount } = await db.raw<{ rowCount: number }>(
          `with old as (
             select s.org_id, s.id from orgs o cross join lateral (
               select org_id, id from shell_sessions
                where org_id = o.id and created_at < now() - make_interval(days => :days) and ended_at is not null
                order by created_at limit :dropBatch for update skip locked
             ) s limit :dropBatch
           ), chunks as (
             delete from shell_recordings r using old where r.org_id = old.org_id and r.session_id = old.id
           )
           delete from shell_sessions s using old where s.org_id = old.org_id and s.id = old.id`,
          { days, dropBatch },
        );
        dropped += rowCount;
        if (rowCount < dropBatch) break;
      }
      return dropped;
    },

    async list(
      orgId: string,
      { robotId }: { robotId: string | undefined },
      page: Page,
    ): Promise<JsonRows<SessionColumn>> {
      if (robotId !== undefined && !isId(robotId)) return noRows;
      return readPage(db, { table: 'shell_sessions', columns, computed }, { org_id: orgId, robot_id: robotId }, page);
    },

    async addChunk(orgId: string, sessionId: string, seq: number, data: Buffer): Promise<void> {
      await db.raw(
        'insert into shell_recordings (org_id, session_id, seq, data) values (?, ?, ?, ?) on conflict do nothing',
        [orgId, sessionId, seq, data],
      );
    },

    /** The size of a recording so far; undefined if the org has no such session, or it is not recorded. */
    async measure(orgId: string, sessionId: string): Promise<{ chunks: number; bytes: number } | undefined> {
      if (!isId(sessionId)) return undefined;
      const { rows } = await db.raw<{ rows: { chunks: string; bytes: string }[] }>(
        `select count(r.seq) as chunks, coalesce(sum(octet_length(r.data)), 0) as bytes
           from shell_sessions s left join shell_recordings r on r.org_id = s.org_id and r.session_id = s.id
          where s.org_id = ? and s.id = ? and s.recorded group by s.id`,
        [orgId, sessionId],
      );
      return rows[0] && { chunks: Number(rows[0].chunks), bytes: Number(rows[0].bytes) };
    },

    /** The first `chunks` chunks, in order. Holds no connection while the caller processes them. */
    async *read(orgId: string, sessionId: string, chunks: number): AsyncGenerator<Buffer> {
      for (let from = 0; from < chunks; from += readAtATime) {
        const { rows } = await db.raw<{ rows: { data: Buffer }[] }>(
          'select data from shell_recordings where org_id = ? and session_id = ? and seq >= ? and seq < ? order by seq',
          [orgId, sessionId, from, Math.min(from + readAtATime, chunks)],
        );
        for (const { data } of rows) yield data;
      }
    },
  };
}
