import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { Release, ReleaseFilter, NewRelease } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  tag: string;
  kind: string;
  artifact_sha256: string;
  artifact_size: number;
  notes: string | null;
  signature: string | null;
  key_id: string | null;
  created_at: Date;
  archived_at: Date | null;
}

const columns = [
  'id',
  'tag',
  'kind',
  'artifact_sha256',
  'artifact_size',
  'notes',
  'signature',
  'key_id',
  'created_at',
  'archived_at',
] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

/** Whether the file is stored: one index look-up per row. */
const storedSql = `exists (select 1 from artifacts where artifacts.org_id = releases.org_id and
  artifacts.sha256 = releases.artifact_sha256 and artifacts.size = releases.artifact_size)`;
type FoundRow = Pick<Row, Column> & { artifact_stored: boolean };

export function releaseStore(db: Knex) {
  const rowsWhere = (filter: Partial<Row>) =>
    db<Row>('releases')
      .select(...columns, db.raw(`${storedSql} as artifact_stored`))
      .where(filter);
  const findWhere = async (filter: Partial<Row>): Promise<Release | undefined> => {
    const row = await rowsWhere(filter).first<FoundRow | undefined>();
    return row && fromRow(row);
  };
  return {
    /** Undefined if the tag of this kind is taken; the transaction that took it has committed by then. */
    async create(orgId: string, newRelease: NewRelease): Promise<Release | undefined> {
      const row = {
        org_id: orgId,
        id: newId(),
        tag: newRelease.tag,
        kind: newRelease.kind,
        artifact_sha256: newRelease.artifactSha256,
        artifact_size: newRelease.artifactSize,
        notes: newRelease.notes,
        signature: newRelease.signature,
        key_id: newRelease.keyId,
      };
      const unlessKnown = ['org_id', 'kind', 'tag'];
      const { rows } = await insertRow<Row>(db, 'releases', row, { returning: ['id'], unlessKnown });
      return rows[0] && findWhere({ org_id: orgId, id: rows[0].id });
    },

    /** Until the transaction ends, the release is neither archived nor restored. */
    async hold(orgId: string, id: string): Promise<Release | undefined> {
      const row =
        isId(id) && (await rowsWhere({ org_id: orgId, id }).forShare('releases').first<FoundRow | undefined>());
      return row ? fromRow(row) : undefined;
    },

    /** The release before and after; undefined if there is none. Setting what is set changes nothing. */
    async setArchived(
      orgId: string,
      id: string,
      isArchived: boolean,
    ): Promise<{ before: Release; after: Release } | undefined> {
      const row =
        isId(id) && (await rowsWhere({ org_id: orgId, id }).forNoKeyUpdate('releases').first<FoundRow | undefined>());
      if (!row) return undefined;
      const before = fromRow(row);
      if ((before.archivedAt !== undefined) === isArchived) return { before, after: before };
      const [changed] = await db<Row>('releases')
        .where({ org_id: orgId, id })
        .update({ archived_at: isArchived ? db.raw('now()') : null })
        .returning('archived_at');
      return { before, after: { ...before, archivedAt: changed?.archived_at ?? undefined } };
    },

    findByTag: (orgId: string, { kind, tag }: Pick<Release, 'kind' | 'tag'>): Promise<Release | undefined> =>
      findWhere({ org_id: orgId, kind, tag }),

    list: (orgId: string, { tag, kind, isArchived }: ReleaseFilter, page: Page): Promise<JsonRows<keyof FoundRow>> =>
      readPage(
        db,
        {
          table: 'releases',
          columns,
          computed: { artifact_stored: storedSql },
          ...(isArchived !== undefined && { only: `archived_at is ${isArchived ? 'not ' : ''}null` }),
        },
        { org_id: orgId, tag, kind },
        page,
      ),
  };
}

const fromRow = (row: FoundRow): Release => ({
  id: row.id,
  tag: row.tag,
  kind: row.kind,
  artifactSha256: row.artifact_sha256,
  artifactSize: row.artifact_size,
  isArtifactStored: row.artifact_stored,
  notes: row.notes ?? undefined,
  signature: row.signature ?? undefined,
  keyId: row.key_id ?? undefined,
  createdAt: row.created_at,
  archivedAt: row.archived_at ?? undefined,
});
