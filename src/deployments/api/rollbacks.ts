import type { Knex } from 'knex';
import { configService } from '../../configs/service.ts';
import { badRequest, conflict } from '../../kernel/errors.ts';
import type { Hint } from '../../platform/bus/bus.ts';
import { requestRollback, type ReturnSignature } from '../engine/controls/rollback.ts';
import { returningRanges, returningRobots } from '../engine/rollbacks/returning-robots.ts';
import { lookUpByKey } from '../engine/target-locks.ts';
import { getDeployment } from './get-deployment.ts';
import type { DeploymentKind, DeploymentViews } from './views.ts';

export type RollbackService = ReturnType<typeof rollbackService>;

/** A release or a revision of the config entry, by its wire name. */
interface Earlier {
  release_id?: string;
  revision?: number;
}

/** What a rollback does, or would do now; fields have their wire names. */
interface RollbackView {
  request?: { since: string; code: string; reason?: string };
  returns: (Earlier & { robots: number; deployment_id?: string })[];
  excluded: (Earlier & { robots: number; code: string })[];
}

interface RollbackRequest {
  reason: string | undefined;
  signatures: readonly (Earlier & { signature: string; key_id: string })[];
}

interface GroupRow {
  release_id: string | null;
  revision: number | null;
  payload_digest: string | null;
  code: string | null;
  rollback_id: string | null;
  robots: number;
}

export function rollbackService(db: Knex) {
  return {
    /** @throws not_found, also for a deployment of the other kind */
    async get(orgId: string, deploymentKind: DeploymentKind, id: string): Promise<RollbackView> {
      const deployment = await getDeployment(db, orgId, deploymentKind, id);
      // As of one instant, in several statements.
      const groups = await db.transaction((trx) => readGroups(trx, orgId, id), {
        isolationLevel: 'repeatable read',
        readOnly: true,
      });
      return viewOf(deployment, groups);
    },

    /**
     * Requests the rollback of a deployment. Requesting it again with no other signatures changes nothing; then `after`
     * is `before`. Returns the hints to announce. Runs in a transaction.
     * @throws not_found, bad_request for a signature of something that no robot returns to, conflict if the deployment
     * has not begun, has ended and nothing applied it, is a rollback, or has a deleted config entry
     */
    async request<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      { reason, signatures }: RollbackRequest,
    ): Promise<{ before: DeploymentViews[Each]; after: DeploymentViews[Each]; view: RollbackView; announce: Hint[] }> {
      const before = await getDeployment(db, orgId, deploymentKind, id);
      if (before.rollback_of !== undefined)
        throw conflict('the deployment is a rollback; deploy another release instead');
      if ('config_id' in before) await configService(db).getRevision(orgId, before.config_id, before.revision);
      const groups = await readGroups(db, orgId, before.id);
      if (before.ended_at !== undefined && groups.length === 0)
        throw conflict('no robot applied the deployment, so there is nothing to roll back');
      const outcome = await requestRollback(db, {
        orgId,
        deploymentId: before.id,
        reason,
        signatures: signaturesOf(deploymentKind, signatures, groups),
      });
      if (outcome?.kind === 'not_begun') throw conflict('the deployment has not begun; cancel it instead');
      const after = await getDeployment(db, orgId, deploymentKind, id);
      // Reading them takes most of a second for 100,000 robots; only signatures change them.
      const view = viewOf(after, signatures.length === 0 ? groups : await readGroups(db, orgId, before.id));
      if (outcome?.kind !== 'changed') return { before: after, after, view, announce: [] };
      return { before, after, view, announce: outcome.announce };
    },
  };
}

/**
 * SQL of `source_id, code, rollback_id, robots` of a range. One statement reads both: a robot for which the rollback is decided
 * between two would be in both.
 */
const groupedOfRange = `
  select source_id, code, null::uuid as rollback_id, count(*) as robots from (${returningRobots}) as found group by 1, 2
  union all
  select source_id, code, rollback_id, count(*) from rollback_robots
   where org_id = :orgId and deployment_id = :deploymentId and robot_id > :after and robot_id <= :until group by 1, 2, 3`;

/** Robots by what they return to, and by why they do not; most first. Runs in a transaction. */
async function readGroups(trx: Knex, orgId: string, deploymentId: string): Promise<GroupRow[]> {
  const groups = new Map<string, GroupRow>();
  await lookUpByKey(trx);
  for await (const range of returningRanges(trx, { orgId, deploymentId })) {
    const { rows } = await trx.raw<{ rows: GroupRow[] }>(
      `select s.release_id, s.revision, s.payload_digest, g.code, g.rollback_id, g.robots
         from (${groupedOfRange}) g left join deployments s on s.org_id = :orgId and s.id = g.source_id`,
      range,
    );
    for (const row of rows) {
      const key = JSON.stringify([row.payload_digest, row.release_id, row.revision, row.code, row.rollback_id]);
      groups.set(key, { ...row, robots: row.robots + (groups.get(key)?.robots ?? 0) });
    }
  }
  return [...groups.values()].sort(
    (left, right) =>
      right.robots - left.robots ||
      byText(left.payload_digest, right.payload_digest) ||
      byText(left.rollback_id, right.rollback_id),
  );
}

/** Null is last. */
const byText = (left: string | null, right: string | null): number =>
  left === right ? 0 : right === null || (left !== null && left < right) ? -1 : 1;

/** @throws bad_request */
function signaturesOf(
  deploymentKind: DeploymentKind,
  signatures: RollbackRequest['signatures'],
  groups: readonly GroupRow[],
): ReturnSignature[] {
  const field = deploymentKind === 'release' ? 'release_id' : 'revision';
  const other = deploymentKind === 'release' ? 'revision' : 'release_id';
  const signed = signatures.map((each, index): ReturnSignature => {
    const at = `body.signatures.${index}`;
    if (each[other] !== undefined) throw badRequest(`${at}.${other}: the deployment is of a ${deploymentKind}`);
    if (each[field] === undefined) throw badRequest(`${at}.${field}: is missing`);
    const digest = groups.find((group) => group[field] === each[field])?.payload_digest ?? undefined;
    if (digest === undefined) throw badRequest(`${at}.${field}: no robot returns to it`);
    return { payloadDigest: digest, signature: each.signature, keyId: each.key_id };
  });
  if (new Set(signed.map(({ payloadDigest }) => payloadDigest)).size < signed.length)
    throw badRequest(`body.signatures: has two with the same ${field}`);
  return signed;
}

function viewOf({ rollback: request }: DeploymentViews[DeploymentKind], groups: readonly GroupRow[]): RollbackView {
  return {
    ...(request && { request }),
    returns: groups
      .filter(({ code }) => code === null)
      .map((group) => ({
        ...earlierOf(group),
        robots: group.robots,
        ...(group.rollback_id !== null && { deployment_id: group.rollback_id }),
      })),
    excluded: groups.flatMap((group) =>
      group.code === null ? [] : [{ code: group.code, ...earlierOf(group), robots: group.robots }],
    ),
  };
}

const earlierOf = ({ release_id: releaseId, revision }: GroupRow): Earlier => ({
  ...(releaseId !== null && { release_id: releaseId }),
  ...(revision !== null && { revision }),
});
