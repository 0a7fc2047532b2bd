/** Rows of one table, computed by Postgres from their number `n`, from 1. */
export interface Rows {
  table: string;
  count: number;
  /** SQL of each column. */
  columns: Record<string, string>;
  /** Of the numbers: the others have no row. */
  where?: string;
}

/** Kinds of IDs, each three hexadecimal digits. The kind of robots is that of `addRobotRows`. */
const kinds = {
  robot: 'e10',
  site: 'e20',
  fleet: 'e30',
  key: 'e40',
  token: 'e50',
  user: 'e60',
  release: 'e70',
  config: 'e80',
  deployment: 'e90',
  order: 'ea0',
  event: 'eb0',
  audit: 'ec0',
  entry: 'ed0',
  session: 'ee0',
  window: 'ef0',
  plan: 'f10',
  selector: 'f20',
  replica: 'f30',
  org: 'f40',
  artifact: 'f50',
  policy: 'f60',
};
export type Kind = keyof typeof kinds;

/** SQL of the ID of the nth object of a kind. */
export const sqlId = (kind: Kind, n: number | string): string =>
  `('0198c5a2-6a60-7${kinds[kind]}-b1f0-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** The same ID as a text. */
export const idOf = (kind: Kind, n: number): string =>
  `0198c5a2-6a60-7${kinds[kind]}-b1f0-${n.toString(16).padStart(12, '0')}`;

export const insertSql = ({ table, count, columns, where = 'true' }: Rows): string =>
  `insert into ${table} (${Object.keys(columns).join(', ')})
   select ${Object.values(columns).join(', ')} from generate_series(1, ${count}) as n where ${where}`;
