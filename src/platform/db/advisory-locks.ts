/**
 * The keys of Postgres' advisory locks that are one number: arbitrary, and all different. A key that is here stays, as
 * replicas of the previous release take it too.
 */
export const advisoryLocks = {
  /** Migrations, one server at a time. */
  migrations: 7_201_934_551,
  /** Creating and dropping partitions, one replica at a time. */
  partitions: 7_201_934_552,
  /** The merging of chunks that the release before segments stored, one replica at a time. */
  chunkMerging: 7_201_934_553,
  /** Changing the format in which log records are stored: migration 53 writes its number. */
  logFormat: 7_201_934_554,
  /** Counting deployments again, one server at a time. */
  recount: 7_201_934_561,
  /** Starting several deployments together, one replica at a time, so that ranks follow their order. */
  startTogether: 7_201_934_562,
  /** A backup shares it, and migrations have it alone. */
  backups: 7_201_934_563,
  /** `audit trim`, one at a time. */
  auditTrim: 7_201_934_564,
} as const;
