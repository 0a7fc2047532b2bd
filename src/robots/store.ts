import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import { defaultName, type EnrollmentAttempt, type Robot, type Reported, type RobotFilter } from './model.ts';

interface Row {
  enrollment_key_id: string;
  enrollment_nonce: string | null;
  org_id: string;
  id: string;
  name: string;
  site_id: string;
  fleet_id: string;
  labels: Record<string, string>;
  created_at: Date;
}

const columns = [
  'id',
  'name',
  'org_id',
  'site_id',
  'fleet_id',
  'labels',
  'created_at',
] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

/** Includes the link columns of the view `robots_now`; its instants are null before the first link. */
interface PresentRow extends Pick<Row, Column> {
  online: boolean;
  last_seen_at: Date | null;
  duplicate_agent_at: Date | null;
  reported: Reported;
  cameras: string[] | null; // null before the first link, as is `topics`
  topics: boolean | null;
}
const presentColumns = [
  ...columns,
  'online',
  'last_seen_at',
  'duplicate_agent_at',
  'reported',
  'cameras',
  'topics',
] as const satisfies (keyof PresentRow)[];
type PresentColumn = (typeof presentColumns)[number];

export function robotStore(db: Knex) {
  return {
    async create(
      orgId: string,
      place: { siteId: string; fleetId: string },
      name: string | undefined,
      { keyId, nonce }: EnrollmentAttempt,
    ): Promise<Robot> {
      const id = newId();
      const row = {
        org_id: orgId,
        id,
        name: name ?? defaultName(id),
        site_id: place.siteId,
        fleet_id: place.fleetId,
        enrollment_key_id: keyId,
        enrollment_nonce: nonce,
      };
      const { rows } = await insertRow<Row>(db, 'robots', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    /** The robot created by an earlier attempt with this nonce. */
    async findByAttempt(orgId: string, { keyId, nonce }: EnrollmentAttempt): Promise<Robot | undefined> {
      if (nonce === undefined) return undefined;
      const row = await db<Row>('robots')
        .select(columns)
        .where({ org_id: orgId, enrollment_key_id: keyId, enrollment_nonce: nonce })
        .first();
      return row && fromRow(row);
    },

    /** With `lock`, locks the row until the transaction ends. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<Robot | undefined> {
      if (!isId(id)) return undefined;
      // The view cannot be locked: its links are the nullable side of a join.
      if (lock) await db<Row>('robots').select('id').where({ org_id: orgId, id }).forUpdate();
      const row = await db<PresentRow & Row>('robots_now').select(presentColumns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    async list(orgId: string, { name, siteId, fleetId }: RobotFilter, page: Page): Promise<JsonRows<PresentColumn>> {
      if ([siteId, fleetId].some((id) => id !== undefined && !isId(id))) return noRows;
      const filter = { org_id: orgId, name, site_id: siteId, fleet_id: fleetId };
      return readPage(db, { table: 'robots_now', columns: presentColumns }, filter, page);
    },

    async update(
      orgId: string,
      id: string,
      change: {
        name?: string | undefined;
        labels?: Record<string, string> | undefined;
        place?: { siteId: string; fleetId: string } | undefined;
      },
    ): Promise<Robot | undefined> {
      const { name, labels, place } = change;
      const [row] = await db<Row>('robots')
        .where({ org_id: orgId, id })
        .update(
          definedOnly({
            name,
            labels: labels && (JSON.stringify(labels) as unknown as Row['labels']),
            site_id: place?.siteId,
            fleet_id: place?.fleetId,
          }),
        )
        .returning(columns);
      return row && fromRow(row);
    },

    /** Deletes the robot and, by the foreign key, its tokens. */
    async delete(orgId: string, id: string): Promise<void> {
      await db('robots').where({ org_id: orgId, id }).delete();
    },
  };
}

const fromRow = (row: Pick<Row, Column> & Partial<PresentRow>): Robot => ({
  id: row.id,
  name: row.name,
  orgId: row.org_id,
  siteId: row.site_id,
  fleetId: row.fleet_id,
  labels: row.labels,
  createdAt: row.created_at,
  online: row.online ?? false,
  lastSeenAt: row.last_seen_at ?? undefined,
  duplicateAgentAt: row.duplicate_agent_at ?? undefined,
  reported: row.reported ?? { releases: {}, configs: {} },
  cameras: row.cameras ?? undefined,
  topics: row.topics ?? undefined,
});
