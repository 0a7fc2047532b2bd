import type { Knex } from 'knex';
import type { ArtifactKey } from './model.ts';

/** SQL. A time later than tomorrow is from before the clock of the database was set back. */
const isLeft = `stored_at not between now() - :ageMs * interval '1 millisecond' and now() + interval '1 day'`;

export function artifactStore(db: Knex) {
  const keyOf = ({ orgId, sha256 }: ArtifactKey) => ({ org_id: orgId, sha256 });
  const lockOf = ({ orgId, sha256 }: ArtifactKey) => [`artifact ${orgId} ${sha256}`];
  return {
    /** Size in bytes of a stored artifact; undefined otherwise. */
    async findSize(key: ArtifactKey): Promise<number | undefined> {
      const row = await db<{ size: number; org_id: string; sha256: string }>('artifacts')
        .select('size')
        .where(keyOf(key))
        .first();
      return row?.size;
    },

    /** The sizes that releases of the org state for it: one, or several if a release is wrong. */
    async findNamedSizes({ orgId, sha256 }: ArtifactKey): Promise<number[]> {
      const sizes = await db('releases')
        .where({ org_id: orgId, artifact_sha256: sha256 })
        .distinct('artifact_size')
        .pluck<number[]>('artifact_size');
      return sizes.map(Number);
    },

    /** Whether a release of the org describes it, and its org is not being erased. */
    async isWanted({ orgId, sha256 }: ArtifactKey): Promise<boolean> {
      const release: unknown = await db('releases')
        .where({ org_id: orgId, artifact_sha256: sha256 })
        .whereNotExists(db('erasures').where({ org_id: orgId, robot_id: null, finished_at: null }).select('id'))
        .first('id');
      return release !== undefined;
    },

    /** Until the transaction ends, no other one finds that it uses the artifact alone. */
    async hold(key: ArtifactKey): Promise<void> {
      await db.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', lockOf(key));
    },

    /** Whether no other transaction holds the artifact. If so, none does until this one ends. */
    async holdAlone(key: ArtifactKey): Promise<boolean> {
      const { rows } = await db.raw<{ rows: [{ got: boolean }] }>(
        'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as got',
        lockOf(key),
      );
      return rows[0].got;
    },

    /** `undo` takes back what this transaction does from here on, with the locks of its rows. */
    async mark(): Promise<void> {
      await db.raw('savepoint before_artifact');
    },

    async undo(): Promise<void> {
      await db.raw('rollback to savepoint before_artifact');
    },

    /** Its file is about to be stored: `findLeft` finds it, until `forgetUpload`. */
    async begin(key: ArtifactKey): Promise<void> {
      await db.raw(
        `insert into artifact_uploads (org_id, sha256, stored_at) values (:orgId, :sha256, now())
         on conflict (org_id, sha256) do update set stored_at = excluded.stored_at`,
        { ...key },
      );
    },

    /** Uploads whose files were stored longer ago than this and that were not recorded, the oldest first. */
    async findLeft(ageMs: number, limit: number): Promise<ArtifactKey[]> {
      return db('artifact_uploads')
        .whereRaw(isLeft, { ageMs })
        .orderBy('stored_at')
        .limit(limit)
        .select<ArtifactKey[]>('org_id as orgId', 'sha256');
    },

    /** Until the transaction ends, the file of this upload is not stored again. Returns false if it was, since `findLeft`. */
    async holdLeft(key: ArtifactKey, ageMs: number): Promise<boolean> {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from artifact_uploads where org_id = :orgId and sha256 = :sha256 and ${isLeft} for update`,
        { ...key, ageMs },
      );
      return rows.length > 0;
    },

    async forgetUpload(key: ArtifactKey): Promise<void> {
      await db('artifact_uploads').where(keyOf(key)).delete();
    },

    /** Returns whether it was not stored before. */
    async create(key: ArtifactKey, size: number): Promise<boolean> {
      const added = await db('artifacts')
        .insert({ ...keyOf(key), size })
        .onConflict(['org_id', 'sha256'])
        .ignore()
        .returning('size');
      return added.length > 0;
    },
  };
}
