import type { Api, DeploymentPlanCreate } from '../../api/api.ts';
import { isDryRun } from '../../command-line/dry-run.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { checkStart } from '../effects/deployment-effect.ts';
import { printPlan } from './plans.ts';

/**
 * With `--dry-run`, plans the deployment and prints the plan: the service knows its robots and waves best. Returns
 * whether that was so.
 * @throws CliError as `checkStart`
 */
export async function plannedInstead(
  call: Invocation,
  api: Api,
  body: DeploymentPlanCreate,
  scheduledAt: string | undefined,
): Promise<boolean> {
  if (!isDryRun(call)) return false;
  checkStart(scheduledAt);
  const reply = await api.post('/api/deployment-plans', { body });
  await printPlan(call, api, reply);
  call.io.note(`Dry run: nothing was deployed. Deploy it with: cli ${call.command.path} --plan ${reply.body.data.id}`);
  return true;
}
