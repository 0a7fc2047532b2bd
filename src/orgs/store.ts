import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { Counts, Org, OrgStatus } from './model.ts';

interface Row {
  id: string;
  name: string;
  status: OrgStatus;
  record_shells: boolean;
  created_at: Date;
  approved_at: Date | null;
  suspended_at: Date | null;
  requested_by?: string | null; // email address; absent for an org that is being created
}

const columns = [
  'id',
  'name',
  'status',
  'record_shells',
  'created_at',
  'approved_at',
  'suspended_at',
] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

/** The requester of an org, by the address of their last sign-in. */
const requestedBy = '(select p.email from people p where p.id = orgs.requested_by)';

export function orgStore(db: Knex) {
  const fields = [...columns, db.raw(`${requestedBy} as requested_by`)];
  return {
    async create(name: string): Promise<Org> {
      const { rows } = await insertRow<Row>(
        db,
        'orgs',
        { id: newId(), name, status: 'pending' },
        { returning: columns },
      );
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    async find(id: string): Promise<Org | undefined> {
      if (!isId(id)) return undefined;
      const row = await db('orgs').select<Row[]>(fields).where({ id }).first();
      return row && fromRow(row);
    },

    list: (filter: { status?: OrgStatus | undefined }, page: Page): Promise<JsonRows<Column | 'requested_by'>> =>
      readPage(db, { table: 'orgs', columns, computed: { requested_by: requestedBy } }, filter, page),

    /**
     * Changes the status of an org from `from` to `to`. Undefined if its status is not `from`, or if `to` is approved and its data
     * is being erased. Call it in a transaction.
     */
    async move(id: string, { from, to }: { from: OrgStatus; to: OrgStatus }): Promise<Org | undefined> {
      await db('orgs').where({ id }).forNoKeyUpdate().first('id'); // the update sees an erasure that another transaction began
      const [row] = await db('orgs')
        .where({ id, status: from })
        .whereRaw(to === 'approved' ? `not exists (${erasingSql})` : 'true')
        .update({
          status: to,
          approved_at: db.raw('coalesce(approved_at, now())'),
          suspended_at: to === 'suspended' ? db.fn.now() : null,
        })
        .returning<Row[]>(fields);
      return row && fromRow(row);
    },

    /** Whether all its data is being erased. */
    async isErasing(id: string): Promise<boolean> {
      return (await db('orgs').where({ id }).whereRaw(`exists (${erasingSql})`).first('id')) !== undefined;
    },

    /** Undefined if there is no such org. */
    async setRecordShells(id: string, recordShells: boolean): Promise<Org | undefined> {
      const [row] = await db('orgs').where({ id }).update({ record_shells: recordShells }).returning<Row[]>(fields);
      return row && fromRow(row);
    },

    async isEmpty(): Promise<boolean> {
      return (await db('orgs').select('id').first()) === undefined;
    },

    async count(): Promise<Counts> {
      const { rows } = await db.raw<{ rows: [Counts] }>(`
        select count(*) filter (where status = 'pending') as "orgsPending",
               count(*) filter (where status = 'approved') as "orgsApproved",
               count(*) filter (where status = 'suspended') as "orgsSuspended",
               (select count(*) from users) as users,
               (select count(*) from robots where retired_at is null) as robots,
               (select count(*) from sites) as sites,
               (select count(*) from fleets) as fleets,
               (select count(*) from enrollment_keys where revoked_at is null) as "enrollmentKeys",
               (select count(*) from tokens where revoked_at is null) as tokens,
               pg_database_size(current_database()) as "databaseBytes"
          from orgs`);
      return rows[0];
    },
  };
}

const erasingSql = 'select from erasures e where e.org_id = orgs.id and e.robot_id is null and e.finished_at is null';

const fromRow = (row: Pick<Row, Column | 'requested_by'>): Org => ({
  id: row.id,
  name: row.name,
  status: row.status,
  recordShells: row.record_shells,
  createdAt: row.created_at,
  approvedAt: row.approved_at ?? undefined,
  suspendedAt: row.suspended_at ?? undefined,
  requestedBy: row.requested_by ?? undefined,
});
