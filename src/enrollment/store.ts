import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import type { TokenFacts } from '../kernel/tokens.ts';
import { insertRow } from '../platform/db/insert.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { EnrollmentKey, EnrollmentKeyFilter, NewEnrollmentKey, Refusal } from './model.ts';

interface Row {
  org_id: string;
  digest: Buffer;
  id: string;
  site_id: string;
  fleet_id: string;
  label: string | null;
  max_uses: number | null;
  uses: number;
  last_four: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

const columns = [
  'id',
  'site_id',
  'fleet_id',
  'label',
  'max_uses',
  'uses',
  'last_four',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function enrollmentKeyStore(db: Knex) {
  return {
    async create(orgId: string, facts: TokenFacts, newKey: NewEnrollmentKey): Promise<EnrollmentKey> {
      const hours = newKey.expiresInHours ?? 0;
      const row = {
        org_id: orgId,
        id: newId(),
        site_id: newKey.siteId,
        fleet_id: newKey.fleetId,
        label: newKey.label,
        digest: facts.digest,
        last_four: facts.lastFour,
        max_uses: newKey.maxUses,
        expires_at: hours === 0 ? undefined : db.raw('now() + make_interval(hours => ?)', [hours]),
      };
      const { rows } = await insertRow<Row>(db, 'enrollment_keys', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    async list(orgId: string, { siteId, fleetId }: EnrollmentKeyFilter, page: Page): Promise<JsonRows<Column>> {
      if ([siteId, fleetId].some((id) => id !== undefined && !isId(id))) return noRows;
      const filter = { org_id: orgId, site_id: siteId, fleet_id: fleetId };
      return readPage(db, { table: 'enrollment_keys', columns }, filter, page);
    },

    /** Repeated calls keep the first revocation time. Undefined if the org has no such key. */
    async revoke(orgId: string, id: string): Promise<EnrollmentKey | undefined> {
      if (!isId(id)) return undefined;
      const [row] = await db<Row>('enrollment_keys')
        .where({ org_id: orgId, id })
        .update({ revoked_at: db.raw('coalesce(revoked_at, now())') })
        .returning(columns);
      return row && fromRow(row);
    },

    /** The only lookup without an org, as it finds the org. Returns why the key is refused, except for spent uses. */
    async findByDigest(
      digest: Buffer,
    ): Promise<{ orgId: string; keyId: string; refusal: Refusal | undefined } | undefined> {
      const { rows } = await db.raw<{ rows: { org_id: string; id: string; refusal: Refusal | null }[] }>(
        `select k.org_id, k.id,
                case when k.revoked_at is not null then 'revoked'
                     when k.expires_at <= now() then 'expired'
                     when o.status <> 'approved' then 'org_not_approved' end as refusal
           from enrollment_keys k join orgs o on o.id = k.org_id
          where k.digest = ?`,
        [digest],
      );
      return rows[0] && { orgId: rows[0].org_id, keyId: rows[0].id, refusal: rows[0].refusal ?? undefined };
    },

    /**
     * Locks the key until the transaction ends: enrollments with one key are serialised, so its use count is exact.
     * Undefined unless it is valid now.
     */
    async lockGood(orgId: string, id: string): Promise<EnrollmentKey | undefined> {
      const row = await db<Row>('enrollment_keys')
        .select(columns)
        .where({ org_id: orgId, id, revoked_at: null })
        .whereRaw('(expires_at is null or expires_at > now())')
        .forUpdate()
        .first();
      return row && fromRow(row);
    },

    async countUse(orgId: string, id: string): Promise<void> {
      await db('enrollment_keys')
        .where({ org_id: orgId, id })
        .update({ uses: db.raw('uses + 1'), last_used_at: db.fn.now() });
    },

    /**
     * Whether to record a refused use of this key: at most once a minute, however often it is tried. One that is dated later
     * than tomorrow is from before the clock of the database was set back.
     */
    async claimRefusalNote(orgId: string, id: string): Promise<boolean> {
      const claimed = await db('enrollment_keys')
        .where({ org_id: orgId, id })
        .whereRaw("coalesce(refused_at not between now() - interval '1 minute' and now() + interval '1 day', true)")
        .update({ refused_at: db.fn.now() });
      return claimed === 1;
    },
  };
}

const fromRow = (row: Pick<Row, Column>): EnrollmentKey => ({
  id: row.id,
  siteId: row.site_id,
  fleetId: row.fleet_id,
  label: row.label ?? undefined,
  maxUses: row.max_uses ?? undefined,
  uses: row.uses,
  lastFour: row.last_four,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
});
