import { apiOf, type Api } from '../../api/api.ts';
import { answeredFieldsHelp, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { neededTarget, deployFlags, type Wanted } from './deploy-request.ts';
import { watchView } from './deployments-display.ts';
import { signerOf, type Signer } from '../signing/sign.ts';

/** True if `--fields help` was answered, for what is printed: with `--watch` those are the events. */
export const answeredDeploymentHelp = <T>(call: Invocation, view: View<T>): boolean =>
  call.flags.on('watch') ? answeredFieldsHelp(call, watchView) : answeredFieldsHelp(call, view);

/** What was asked for, and who asks. */
interface DeploymentBegin extends ReturnType<typeof deployFlags> {
  wanted: Wanted;
  /** Undefined without `--sign`. */
  signer: Signer | undefined;
  api: Api;
}

/** How a deployment of either kind begins: all that can be refused without the service is refused before it is called. */
export async function beginDeployment(call: Invocation): Promise<DeploymentBegin> {
  const [wanted, flags] = [neededTarget(call), deployFlags(call)];
  const signer = await signerOf(call);
  return { wanted, ...flags, signer, api: await apiOf(call) };
}
