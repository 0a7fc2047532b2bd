import type { AnyDeployment, Api } from '../../api/api.ts';
import { offlineByWave, type OfflineByWave } from '../../output/wave-view.ts';
import type { DeploymentOperations } from './deployment-operations.ts';

/** Robots that wait are read one by one, so only if they are few. */
const maxAsked = 200;

/** Nothing is known if too many robots wait to ask. */
export async function offlineNow(
  api: Api,
  operations: DeploymentOperations,
  id: string,
  { rollout, counts }: AnyDeployment,
): Promise<OfflineByWave> {
  const canBe = rollout?.waves.some(({ started_at: at, counts: own }) => at !== undefined && (own?.waiting ?? 0) > 0);
  if (!canBe || counts.waiting > maxAsked) return new Map();
  return offlineByWave((await operations.targets(api, id, { status: 'waiting', limit: maxAsked })).body.items);
}
