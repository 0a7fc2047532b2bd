import type { Knex } from 'knex';
import { plainArray, textArray } from '../../platform/db/arrays.ts';
import { countRemoved } from './count-removed.ts';

/** The last row of a table that was looked at; null: none. */
export interface Place {
  orgId: string | null;
  key: string | null;
}

const payloadsAtATime = 1_000;
const configsAtATime = 200;
const revisionsAtATime = 5_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * A payload of config orders is in no deployment: it has all entries that a robot received at once. What names a new one may not
 * be committed yet, also by a transaction that waited for the one that stored it.
 */
const isUnusedPayload = `
  p.created_at < now() - interval '1 hour'
  and not exists (select from deployments d where d.org_id = p.org_id and d.payload_digest = p.digest)
  and not exists (select from orders o where o.org_id = p.org_id and o.payload_digest = p.digest and o.lane = 'config')`;

/** Of the entry `c`: the revisions that nothing deploys or plans, and that were replaced longer ago than `days`. */
const unusedRevisions = `
  config_revisions v where v.org_id = c.org_id and v.config_id = c.id
     and v.revision < (select max(n.revision) from config_revisions n
                        where n.org_id = c.org_id and n.config_id = c.id and n.created_at < now() - make_interval(days => :days))
     and not exists (select from deployments d where d.org_id = v.org_id and d.config_id = v.config_id and d.revision = v.revision)
     and not exists (select from deployment_plans d where d.org_id = v.org_id and d.config_id = v.config_id and d.revision = v.revision)`;

interface Page {
  looked: number;
  last_org: string | null;
  last_key: string | null;
  orgs: string[];
  keys: string[]; // of the rows that may be deleted, each in the org at the same index
}

/** The place after a page; undefined if it is the last one. */
const after = ({ looked, last_org: orgId, last_key: key }: Page, size: number): Place | undefined =>
  looked === size ? { orgId, key } : undefined;

const pageColumns = `(select count(*) from page) as looked, (select org_id from page order by org_id desc, key desc limit 1) as last_org,
  (select key from page order by org_id desc, key desc limit 1) as last_key,
  array(select org_id::text from unused order by org_id, key) as orgs, array(select key from unused order by org_id, key) as keys`;

/**
 * Deletes payloads of more than an hour ago that no deployment and no order names. They are locked, then asked for again: a
 * transaction that inserted one of them meanwhile holds its lock, or has committed what names it. Returns the next place.
 */
export async function removeUnusedPayloads(trx: Knex, { orgId, key }: Place): Promise<Place | undefined> {
  const { rows } = await trx.raw<{ rows: [Page] }>(
    `with page as materialized (
       select org_id, digest as key from payloads
        where (org_id, digest) > (coalesce(:orgId::uuid, '${firstId}'), coalesce(:key::text, ''))
        order by org_id, digest limit ${payloadsAtATime}
     ), unused as materialized (
       select p.org_id, p.digest as key from page join payloads p on p.org_id = page.org_id and p.digest = page.key
        where ${isUnusedPayload} for update of p skip locked
     )
     select ${pageColumns}`,
    { orgId, key },
  );
  const [page] = rows;
  if (page.keys.length > 0)
    await trx.raw(
      `with gone as (
         delete from payloads p using unnest(:orgs::uuid[], :keys::text[]) as u (org_id, digest)
          where p.org_id = u.org_id and p.digest = u.digest and ${isUnusedPayload} returning 1
       ), ${countRemoved} select 1`,
      { orgs: plainArray(page.orgs), keys: textArray(page.keys), table: 'payloads' },
    );
  return after(page, payloadsAtATime);
}

/**
 * Deletes revisions of config entries, whose rows are locked as those who deploy or plan a revision lock them. Returns the next
 * place.
 */
export async function removeUnusedRevisions(trx: Knex, place: Place, days: number): Promise<Place | undefined> {
  const { rows } = await trx.raw<{ rows: [Page] }>(
    `with page as materialized (
       select org_id, id::text as key from configs
        where (org_id, id) > (coalesce(:orgId::uuid, '${firstId}'), coalesce(:key::uuid, '${firstId}'))
        order by org_id, id limit ${configsAtATime}
     ), unused as materialized (
       select c.org_id, c.id::text as key from page join configs c on c.org_id = page.org_id and c.id = page.key::uuid
        where exists (select from ${unusedRevisions}) for no key update of c skip locked
     )
     select ${pageColumns}`,
    { ...place, days },
  );
  const [page] = rows;
  if (page.keys.length === 0) return after(page, configsAtATime);
  const { rows: removed } = await trx.raw<{ rows: [{ removed: number }] }>(
    `with gone as (
       delete from config_revisions where ctid = any(array(
         select v.ctid from unnest(:orgs::uuid[], :keys::uuid[]) as c (org_id, id) cross join lateral (
           select v.ctid from ${unusedRevisions}) v limit ${revisionsAtATime}
       )) returning 1
     ), ${countRemoved}
     select count(*) as removed from gone`,
    { orgs: plainArray(page.orgs), keys: plainArray(page.keys), days, table: 'config_revisions' },
  );
  return removed[0].removed === revisionsAtATime ? place : after(page, configsAtATime);
}
