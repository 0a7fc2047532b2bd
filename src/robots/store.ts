import type { Knex } from 'knex';
import { isId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import { isNameTaken, nameMatch, writeNamed } from '../platform/db/unique-names.ts';
import { filterConditions } from './filters.ts';
import { freeName } from './free-name.ts';
import {
  defaultName,
  type EnrollmentAttempt,
  type NewRobot,
  type Robot,
  type Reported,
  type RobotFilter,
  type RobotHealth,
  type RobotPin,
} from './model.ts';
import { unknownCondition } from './unknown-robots.ts';

interface Row {
  enrollment_key_id: string;
  enrollment_nonce: string | null;
  org_id: string;
  id: string;
  name: string;
  site_id: string;
  fleet_id: string;
  labels: Record<string, string>;
  replaces: string | null;
  replaced_by: string | null;
  retired_at: Date | null;
  created_at: Date;
}

const columns = [
  'id',
  'name',
  'org_id',
  'site_id',
  'fleet_id',
  'labels',
  'replaces',
  'replaced_by',
  'retired_at',
  'created_at',
] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

/** Includes the link columns of the view `robots_now`; its instants are null before the first link. */
interface PresentRow extends Pick<Row, Column> {
  online: boolean;
  last_seen_at: Date | null;
  duplicate_agent_at: Date | null;
  reported: Reported;
  cameras: string[] | null; // null before the first link, as are `topics` and `timezone`
  topics: boolean | null;
  timezone: string | null;
  health_status: string;
  health_since: Date | null;
  conditions: RobotHealth['conditions'];
  maintenance: NonNullable<RobotHealth['maintenance']> | null;
  pin: RobotPin | null;
}
const presentColumns = [
  ...columns,
  'online',
  'last_seen_at',
  'duplicate_agent_at',
  'reported',
  'cameras',
  'topics',
  'timezone',
  'health_status',
  'health_since',
  'conditions',
  'maintenance',
  'pin',
] as const satisfies (keyof PresentRow)[];
type PresentColumn = (typeof presentColumns)[number];

export function robotStore(db: Knex) {
  return {
    /** A taken name gets a number at its end. Needs a transaction. */
    async create(orgId: string, robot: NewRobot, { keyId, nonce }: EnrollmentAttempt): Promise<Robot> {
      const { id } = robot;
      const wanted = robot.name ?? defaultName(id);
      const row = {
        org_id: orgId,
        id,
        site_id: robot.siteId,
        fleet_id: robot.fleetId,
        replaces: robot.replaces,
        enrollment_key_id: keyId,
        enrollment_nonce: nonce,
      };
      // A name found free may be taken before the insert, by a rename.
      for (let name = wanted; ; name = await freeName(db, orgId, wanted)) {
        const options = { returning: columns, unlessKnown: ['org_id', 'name_key'] };
        const { rows } = await insertRow<Row>(db, 'robots', { ...row, name }, options);
        if (rows[0]) return fromRow(rows[0]);
      }
    },

    /** Retires the robot in favour of another, which may get its name. Needs a transaction. */
    async retire(orgId: string, { id, name }: Robot, replacedBy: string): Promise<Robot> {
      for (;;) {
        const free = await freeName(db, orgId, `${Array.from(name).slice(0, 119).join('')}-retired`);
        const change = { name: free, replaced_by: replacedBy, retired_at: db.fn.now() as unknown as Date };
        await db.raw('savepoint before_name');
        try {
          const rows = await db<Row>('robots').where({ org_id: orgId, id }).update(change).returning(columns);
          return fromRow(rows[0] as Row); // locked by the caller
        } catch (error) {
          if (!isNameTaken(error, 'robot')) throw error;
          await db.raw('rollback to savepoint before_name');
        }
      }
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

    async list(orgId: string, filter: RobotFilter, page: Page): Promise<JsonRows<PresentColumn>> {
      const { name, siteId, fleetId, releaseId } = filter;
      // A filter by ID also finds retired robots.
      const isRetired = filter.isRetired ?? ((page.ids ?? page.idEnd) ? undefined : false);
      if ([siteId, fleetId, releaseId].some((id) => id !== undefined && !isId(id))) return noRows;
      const equal = { org_id: orgId, name, site_id: siteId, fleet_id: fleetId };
      const listing = {
        table: 'robots_now',
        columns: presentColumns,
        match: nameMatch,
        only: isRetired === undefined ? 'true' : `retired_at is ${isRetired ? 'not ' : ''}null`,
        also: await filterConditions(db, orgId, filter),
      };
      if (filter.healthStatus === 'unknown')
        listing.also.push(await unknownCondition(db, { listing, filter: equal, isRetired }, page));
      return readPage(db, listing, equal, page);
    },

    /** @throws conflict if the name is taken */
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
      const update = () =>
        db<Row>('robots')
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
      const [row] = await (name === undefined
        ? update()
        : writeNamed(db, 'robot', { name, within: { org_id: orgId } }, update));
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
  replaces: row.replaces ?? undefined,
  replacedBy: row.replaced_by ?? undefined,
  retiredAt: row.retired_at ?? undefined,
  createdAt: row.created_at,
  online: row.online ?? false,
  lastSeenAt: row.last_seen_at ?? undefined,
  duplicateAgentAt: row.duplicate_agent_at ?? undefined,
  reported: row.reported ?? { releases: {}, configs: {} },
  cameras: row.cameras ?? undefined,
  topics: row.topics ?? undefined,
  timezone: row.timezone ?? undefined,
  health: {
    status: row.health_status ?? 'unknown',
    since: row.health_since ?? undefined,
    conditions: row.conditions ?? [],
    maintenance: row.maintenance ?? undefined,
  },
  pin: row.pin ?? undefined,
});
