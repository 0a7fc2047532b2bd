import type { DeploymentFreeze } from '../api/api.ts';
import { relativeTime } from './time.ts';

/** `frozen by ops@example.com since 5m ago: robots stop`; undefined unless the org is frozen. */
export function freezeText({
  frozen_at: frozenAt,
  frozen_by: by = 'unknown',
  reason,
}: DeploymentFreeze): string | undefined {
  if (frozenAt === undefined) return undefined;
  const who = `frozen by ${by} ${relativeTime(frozenAt)}`;
  return reason === undefined ? who : `${who}: ${reason}`;
}
