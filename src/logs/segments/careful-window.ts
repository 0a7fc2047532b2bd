import type { Knex } from 'knex';
import { readAround } from './damage.ts';
import { maxGroups } from './pack.ts';
import {
  rangeOf,
  readGroupsOf,
  readRows,
  takeWindow,
  type WindowGroup,
  type Part,
  type WindowReader,
} from './window.ts';

/**
 * Reads windows where Postgres cannot read some of the pages. A segment that cannot be read does not wait for others, as
 * readers of the org fail until it is left behind.
 */
export const carefulReader: WindowReader = {
  async findWindow(trx, orgId, { lastId, isAllDue }) {
    const org = await trx<{ org_id: string; merged_id: number }>('log_orgs')
      .where({ org_id: orgId })
      .first('merged_id');
    const range = { first: (org?.merged_id ?? 0) + 1, last: lastId };
    const { rows, unreadable } = await readAround(trx, range, (db, part) =>
      readRows(db, orgId, { ...part, maxBytes: Number.MAX_SAFE_INTEGER }),
    );
    const taken = takeWindow(rows, { isAllDue, isDue: unreadable.length > 0 });
    const next = rows[taken.length];
    const lost = unreadable.filter(({ first }) => !next || first < next.id);
    return { rows: taken, unreadable: lost, lastId: Math.max(taken.at(-1)?.id ?? 0, lost.at(-1)?.last ?? 0) };
  },

  async readPart(trx, orgId, segments, part) {
    const { rows, unreadable } = await readAround(trx, rangeOf(segments), (db, { first, last }) =>
      readGroupsOf(db, orgId, { ...part, first, last }),
    );
    for (const { id } of segments)
      if (unreadable.some(({ first, last }) => first <= id && id <= last))
        rows.push(...(await readSegment(trx, orgId, id, part)));
    return rows.sort((a, b) => a.id - b.id);
  },
};

/** Group by group; without the body where only the head can be read. */
async function readSegment(trx: Knex, orgId: string, id: number, part: Part): Promise<WindowGroup[]> {
  const groups = { first: 0, last: maxGroups - 1 };
  const found = await readAround(trx, groups, (db, numbers) =>
    readGroupsOf(db, orgId, { ...part, first: id, last: id, groups: numbers }),
  );
  for (const numbers of found.unreadable) {
    const heads = await readAround(trx, numbers, (db, some) =>
      readGroupsOf(db, orgId, { ...part, first: id, last: id, groups: some, bodies: false }),
    );
    found.rows.push(...heads.rows);
  }
  return found.rows;
}
