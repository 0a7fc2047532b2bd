import type { AnyDeployment, ApprovalRequest, Rollout } from '../api/api.ts';
import { humanize, waitOf } from './deployment-format.ts';
import { span } from './units.ts';

/** `1 of 2, by ana@example.com`. */
export const approvedText = ({ people, approved_by: by }: ApprovalRequest): string =>
  `${by.length} of ${people}${by.length === 0 ? '' : `, by ${by.join(', ')}`}`;

/** `in 21h`; undefined if no time passes. */
export function expiryText({ expires_at: at }: ApprovalRequest, nowMs: number = Date.now()): string | undefined {
  return at === undefined ? undefined : `in ${span(Math.max(0, Math.floor((Date.parse(at) - nowMs) / 1000)))}`;
}

/** `wave 2 of the deployment`, or `the deployment`. */
export const approvedPart = (wave: number): string =>
  wave === 0 ? 'the deployment' : `wave ${wave} of the deployment`;

/** `wave failed: wave 1: 1 of 3 robots did not apply it`; undefined for a pause by a person who gave no reason. */
const pauseCause = ({ code, reason }: NonNullable<AnyDeployment['paused']>): string | undefined => {
  const cause = code === 'requested' ? undefined : humanize(code);
  return [cause, reason].filter((part) => part !== undefined).join(': ') || undefined;
};

/** What a deployment waits for, with why it is paused, or with who approved it so far; empty if it waits for nothing. */
export function deploymentWait({
  approval,
  paused,
  waiting_on: wait,
}: Pick<AnyDeployment, 'approval' | 'paused' | 'waiting_on'>): string {
  if (!approval) {
    const detail = paused && wait?.code === 'paused' ? pauseCause(paused) : undefined;
    return wait ? waitOf({ ...wait, ...(detail !== undefined && { detail }) }) : '';
  }
  const expires = expiryText(approval);
  const wave = approval.wave === 0 ? '' : ` of wave ${approval.wave}`;
  return `approval${wave}: ${approvedText(approval)}${expires === undefined ? '' : `; expires ${expires}`}`;
}

/** `2 of role admin within 1d`, as the policy has it. */
export const approvalRuleText = ({ approval }: Pick<Rollout, 'approval'>): string =>
  approval ? `${approval.people} of role ${approval.role} within ${approval.expires}` : '';
