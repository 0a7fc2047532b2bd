import type { Invocation } from '../../command-line/command-spec.ts';
import { answeredDeploymentHelp, beginDeployment } from './deploy-begin.ts';
import { followDeployment, sendDeployment, targetOf, printDeploymentNotice } from './deploy-request.ts';
import { releaseOf } from './deploy-release.ts';
import { view } from './deployments.ts';
import { releaseDeployments } from './deployment-operations.ts';
import { printObject } from '../shared.ts';
import { signRelease } from '../signing/sign-release.ts';

export async function deploy(call: Invocation): Promise<number | undefined> {
  if (answeredDeploymentHelp(call, view())) return undefined;
  const [release = ''] = call.args;
  const { wanted, idempotencyKey, scheduledAt, body, signer, api } = await beginDeployment(call);
  const kind = call.flags.text('kind');
  const [releaseId, target] = await Promise.all([releaseOf(api, release, kind), targetOf(api, wanted)]);
  const signature = signer && (await signRelease(call, api, signer, releaseId, target));
  const reply = await sendDeployment(
    call,
    idempotencyKey,
    () =>
      api.post('/api/deployments', {
        idempotencyKey,
        body: { release_id: releaseId, ...target, ...body, ...signature },
      }),
    { signature, scheduledAt },
  );
  if (!call.flags.on('watch')) await printObject(call, reply, view());
  printDeploymentNotice(call, reply, release, wanted, idempotencyKey);
  return await followDeployment(call, api, releaseDeployments, reply);
}
