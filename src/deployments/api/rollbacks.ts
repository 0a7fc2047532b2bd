import type { Knex } from 'knex';
import { configService } from '../../configs/service.ts';
import { badRequest, conflict } from '../../kernel/errors.ts';
import type { Hint } from '../../platform/bus/bus.ts';
import { requestRollback, type ReturnSignature } from '../engine/controls/rollback.ts';
import { returningRobots } from '../engine/rollbacks/returning-robots.ts';
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
  /** Robots by what they return to, and by why they do not. */
  async function readGroups(orgId: string, deploymentId: string): Promise<GroupRow[]> {
    const { rows } = await db.raw<{ rows: GroupRow[] }>(
      `with found as materialized (
         select source_id, code, rollback_id from rollback_robots where org_id = :orgId and deployment_id = :deploymentId
         union all
         select source_id, code, null from (${returningRobots}) as undecided
       )
       select s.release_id, s.revision, s.payload_digest, found.code, found.rollback_id, count(*) as robots
         from found left join deployments s on s.org_id = :orgId and s.id = found.source_id
        group by 1, 2, 3, 4, 5 order by count(*) desc, s.payload_digest, found.rollback_id`,
      { orgId, deploymentId },
    );
    return rows;
  }

  return {
    /** @throws not_found, also for a deployment of the other kind */
    async get(orgId: string, deploymentKind: DeploymentKind, id: string): Promise<RollbackView> {
      return viewOf(await getDeployment(db, orgId, deploymentKind, id), await readGroups(orgId, id));
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
      const groups = await readGroups(orgId, before.id);
      if (before.ended_at !== undefined && groups.length === 0)
        throw conflict('no robot applied the deployment, so there is nothing to roll back');
      const outcome = await requestRollback(db, {
        ...{ orgId, deploymentId: before.id, reason },
        signatures: signaturesOf(deploymentKind, signatures, groups),
      });
      if (outcome?.kind === 'not_begun') throw conflict('the deployment has not begun; cancel it instead');
      const after = await getDeployment(db, orgId, deploymentKind, id);
      // Reading them takes a second for 100,000 robots; only signatures change them.
      const view = viewOf(after, signatures.length === 0 ? groups : await readGroups(orgId, before.id));
      if (outcome?.kind !== 'changed') return { before: after, after, view, announce: [] };
      return { before, after, view, announce: outcome.announce };
    },
  };
}

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
        ...{ robots: group.robots, ...(group.rollback_id !== null && { deployment_id: group.rollback_id }) },
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
