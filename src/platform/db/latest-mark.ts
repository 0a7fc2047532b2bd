/**
 * The latest valid time of a mark that the service stored, as SQL. A later one was made before the clock of the database was set
 * back. A mark may be slightly later than `now()`, which is the start of a transaction: others may have waited less.
 */
export const latestMark = "now() + interval '1 minute'";
