import type { Knex } from 'knex';
import { nullableArray, plainArray } from '../../platform/db/arrays.ts';
import type { LockedTarget } from './locked.ts';

/** Proof that a robot runs what this deployment pins. */
export type Proof = Pick<LockedTarget, 'deployment' | 'robotId'>;

/**
 * Writes what robots have proved to run. Of two for the same release kind or config key, the later one in the given
 * order wins. The statement fails (23503) if a robot is removed at this moment; it may be retried.
 */
export async function writeProofs(trx: Knex, proofs: readonly Proof[]): Promise<void> {
  await trx.raw(
    `insert into robot_reports as p (org_id, robot_id, releases, configs)
     select n.org_id, n.robot_id,
            coalesce(jsonb_object_agg(n.name, jsonb_build_object('release_id', n.release_id, 'tag', n.tag, 'deployment_id', n.deployment_id, 'at', i.at)
                                      order by n.n) filter (where n.release_id is not null), '{}'),
            coalesce(jsonb_object_agg(n.name, jsonb_build_object('config_id', n.config_id, 'revision', n.revision, 'deployment_id', n.deployment_id, 'at', i.at)
                                      order by n.n) filter (where n.config_id is not null), '{}')
       from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::uuid[], ?::bigint[]) with ordinality
            as n (org_id, robot_id, deployment_id, name, release_id, tag, config_id, revision, n)
       join robots r on r.org_id = n.org_id and r.id = n.robot_id,
            (select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at) i
      group by n.org_id, n.robot_id order by n.org_id, n.robot_id
     on conflict (org_id, robot_id) do update set releases = p.releases || excluded.releases, configs = p.configs || excluded.configs`,
    [
      plainArray(proofs.map(({ deployment }) => deployment.orgId)),
      plainArray(proofs.map(({ robotId }) => robotId)),
      plainArray(proofs.map(({ deployment }) => deployment.id)),
      // By kind of release, the part of the lane after the colon; by namespace and key for config.
      nullableArray(
        proofs.map(({ deployment: { lane, releaseId, payloadKey } }) =>
          releaseId === undefined ? payloadKey : lane.slice(lane.indexOf(':') + 1),
        ),
      ),
      nullableArray(proofs.map(({ deployment }) => deployment.releaseId)),
      nullableArray(proofs.map(({ deployment }) => deployment.name)),
      nullableArray(proofs.map(({ deployment }) => deployment.configId)),
      nullableArray(proofs.map(({ deployment }) => deployment.revision)),
    ],
  );
}
