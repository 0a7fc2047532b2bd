import { apiOf, type Api, type RolloutPolicy } from '../../api/api.ts';
import { checkPolicyFlag, flaggedPolicy } from '../policies/policy-flag.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { bothTimes } from '../../output/time.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { dynamicFlag, type DynamicFlag } from './dynamic-flag.ts';
import { neededTarget, deployFlags, type TargetArgument } from './deploy-request.ts';
import { watchView } from './deployments-display.ts';
import { signerOf, type Signer } from '../signing/sign.ts';

/** True if `--fields help` was handled. With `--watch` the fields are those of the events. */
export const answeredDeploymentHelp = <T>(call: Invocation, view: View<T>): boolean =>
  call.flags.on('watch') ? answeredFieldsHelp(call, watchView) : answeredFieldsHelp(call, view);

/** The request and its sender. */
interface DeploymentBegin extends Omit<ReturnType<typeof deployFlags>, 'body'> {
  body: ReturnType<typeof deployFlags>['body'] & { rollout_policy_id?: string } & Partial<DynamicFlag['body']>;
  dynamic: DynamicFlag;
  wanted: TargetArgument;
  /** Undefined without `--sign`. */
  signer: Signer | undefined;
  /** Undefined without `--policy`. */
  policy: RolloutPolicy | undefined;
  api: Api;
}

/** Prepares a deployment of either kind. All local checks run before the first request. */
export async function beginDeployment(call: Invocation): Promise<DeploymentBegin> {
  const [wanted, flags] = [neededTarget(call), deployFlags(call)];
  const dynamic = dynamicFlag(call, wanted.kind);
  const { scheduled_at: at } = flags.body;
  const signer = await signerOf(call, at);
  if (at !== undefined) {
    // A script knows an instant that it passed itself.
    const say = flags.scheduledAt !== undefined || call.flags.on('watch') ? call.io.note : call.io.aside;
    say(`Starts at ${bothTimes(at)}`);
  }
  checkPolicyFlag(call, wanted.kind);
  const api = await apiOf(call);
  const policy = await flaggedPolicy(call, api);
  const body = { ...flags.body, ...dynamic.body, ...(policy && { rollout_policy_id: policy.id }) };
  return { wanted, ...flags, body, dynamic, signer, policy, api };
}
