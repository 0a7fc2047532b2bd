import { apiOf, type Api } from '../../api/api.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
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
  return { wanted, ...flags, signer, api: await apiOf(call) };
}
