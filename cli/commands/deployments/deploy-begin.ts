import { apiOf, type Api } from '../../api/api.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import { bothTimes } from '../../output/time.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { neededTarget, deployFlags, type TargetArgument } from './deploy-request.ts';
import { watchView } from './deployments-display.ts';
import { signerOf, type Signer } from '../signing/sign.ts';

/** True if `--fields help` was handled. With `--watch` the fields are those of the events. */
export const answeredDeploymentHelp = <T>(call: Invocation, view: View<T>): boolean =>
  call.flags.on('watch') ? answeredFieldsHelp(call, watchView) : answeredFieldsHelp(call, view);

/** The request and its sender. */
interface DeploymentBegin extends ReturnType<typeof deployFlags> {
  wanted: TargetArgument;
  /** Undefined without `--sign`. */
  signer: Signer | undefined;
  api: Api;
}

/** Prepares a deployment of either kind. All local checks run before the first request. */
export async function beginDeployment(call: Invocation): Promise<DeploymentBegin> {
  const [wanted, flags] = [neededTarget(call), deployFlags(call)];
  const signer = await signerOf(call);
  const { scheduled_at: at } = flags.body;
  if (at !== undefined) {
    // A script knows an instant that it passed itself.
    const say = flags.scheduledAt !== undefined || call.flags.on('watch') ? call.io.note : call.io.aside;
    say(`Starts at ${bothTimes(at)}`);
  }
  return { wanted, ...flags, signer, api: await apiOf(call) };
}
