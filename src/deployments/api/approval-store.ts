import type { Knex } from 'knex';
import { approverName } from './views-sql.ts';

export interface AuthorRow {
  kind: string;
  id: string;
  name: string;
}

export interface ApprovalRow extends AuthorRow {
  wave: number;
  decision: string;
  plan_hash: string;
  reason: string | null;
  at: Date;
  lapsed_at: Date | null;
}

export function approvalStore(db: Knex) {
  return {
    /** Undefined if the deployment needs no approval. */
    async findAuthor(orgId: string, deploymentId: string): Promise<AuthorRow | undefined> {
      const { rows } = await db.raw<{ rows: AuthorRow[] }>(
        `select author_kind as kind, author_id as id, ${approverName('d.org_id', 'd.author_id')} as name from deployments d
          where org_id = :orgId and id = :deploymentId and approval_hash is not null`,
        { orgId, deploymentId },
      );
      return rows[0];
    },

    /** Oldest first. */
    async list(orgId: string, deploymentId: string): Promise<ApprovalRow[]> {
      const { rows } = await db.raw<{ rows: ApprovalRow[] }>(
        `select wave, decision, plan_hash, reason, at, lapsed_at, by_kind as kind, by_id as id, ${approverName('a.org_id', 'a.by_id')} as name
           from deployment_approvals a where org_id = :orgId and deployment_id = :deploymentId order by seq`,
        { orgId, deploymentId },
      );
      return rows;
    },
  };
}
