import type { Knex } from 'knex';
import type pg from 'pg';

/** A node of a plan as Postgres writes it, with what happened when it ran. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number; // of each loop
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

/** Before the plan in what auto_explain sends. */
const planMark = 'plan:\n';

/** A statement that was run. */
export interface Explained {
  text: string;
  plan: Node;
}

/** What a plan read: rows of one table or entries of one index. */
export interface Read {
  type: string; // `Seq Scan`, `Index Scan` and so on
  of: string; // the table, or the index for a scan that returns no rows
  rows: number;
}

/**
 * Settings of a database: Postgres sends the plan of every statement, also of those in functions and triggers, to the client
 * that sent it. They count for connections that are opened later.
 */
export async function explainEverything(db: Knex, database: string): Promise<void> {
  for (const [name, value] of [
    ['session_preload_libraries', `'auto_explain'`],
    ['auto_explain.log_min_duration', '0'],
    ['auto_explain.log_analyze', 'on'],
    ['auto_explain.log_timing', 'off'],
    ['auto_explain.log_nested_statements', 'on'],
    ['auto_explain.log_format', `'json'`],
    ['auto_explain.log_level', `'notice'`],
  ])
    await db.raw(`alter database ${database} set ${name} = ${value}`);
}

interface Pool {
  on(event: 'acquireSuccess', listener: (id: number, client: pg.Client) => void): void;
}

/** Collects the plans of all statements of this pool from now on. */
export function collectPlans(db: Knex): Explained[] {
  const collected: Explained[] = [];
  const known = new WeakSet<pg.Client>();
  const { pool } = db.client as { pool: Pool };
  pool.on('acquireSuccess', (_id, client) => {
    if (known.has(client)) return;
    known.add(client);
    client.on('notice', ({ message = '' }) => {
      const at = message.indexOf(planMark);
      if (at < 0) return;
      const found = JSON.parse(message.slice(at + planMark.length)) as { 'Query Text': string; Plan: Node };
      collected.push({ text: found['Query Text'], plan: found.Plan });
    });
  });
  return collected;
}

/** All scans of a plan. Scans of what other nodes made read no table. */
export function readsOf(node: Node): Read[] {
  const of = node['Relation Name'] ?? node['Index Name'];
  const perLoop =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const isScan = node['Node Type'].endsWith('Scan') && of !== undefined;
  const own = isScan ? [{ type: node['Node Type'], of, rows: Math.round(perLoop * (node['Actual Loops'] ?? 0)) }] : [];
  return [...own, ...(node.Plans ?? []).flatMap(readsOf)];
}
