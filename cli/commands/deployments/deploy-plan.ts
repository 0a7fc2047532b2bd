import { apiOf, type AnyDeployment, type Api, type Reply } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { View } from '../../output/view.ts';
import { confirmPlan } from '../plans/execute-plan.ts';
import { printObject } from '../shared.ts';
import { deployFlags, followDeployment, printDeploymentNotice, repeatHint, sendDeployment } from './deploy-request.ts';
import type { DeploymentOperations } from './deployment-operations.ts';

interface Execution<D extends AnyDeployment> {
  operations: DeploymentOperations<D>;
  view: View<D>;
  send(
    api: Api,
    idempotencyKey: string,
    body: ReturnType<typeof deployFlags>['body'] & { plan_id: string },
  ): Promise<Reply<{ data: D }>>;
}

/** `--plan` of `deploy` and `configs deploy`: deploys to the robots of a plan. */
export async function deployPlan<D extends AnyDeployment>(
  call: Invocation,
  planId: string,
  { operations, view, send }: Execution<D>,
): Promise<number | undefined> {
  const { idempotencyKey, scheduledAt, body } = deployFlags(call);
  const api = await apiOf(call);
  const plan = await confirmPlan(call, api, planId, body.scheduled_at);
  const reply = await sendDeployment(
    call,
    () => send(api, idempotencyKey, { plan_id: planId, ...body }),
    repeatHint(idempotencyKey, { scheduledAt }),
  );
  if (!call.flags.on('watch')) await printObject(call, reply, view);
  const wanted = { kind: plan.target_kind, text: plan.target_selector ?? plan.target_id };
  printDeploymentNotice(call, reply, `plan ${planId}`, wanted, idempotencyKey);
  return await followDeployment(call, api, operations, reply);
}
