import { apiOf } from '../api.ts';
import { answeredFieldsHelp } from '../output/view.ts';
import type { Invocation } from '../spec.ts';
import { followOrder, neededTarget, orderFlags, ordered, targetOf, tellOrder } from './deploy-order.ts';
import { releaseOf } from './deploy-release.ts';
import { view } from './deployments.ts';
import { watchView } from './deployments-display.ts';
import { releaseFace } from './deployments-face.ts';
import { printObject } from './shared.ts';
import { signerOf } from './sign.ts';
import { signRelease } from './sign-release.ts';

export async function deploy(call: Invocation): Promise<number | undefined> {
  const { args, flags } = call;
  const watches = flags.on('watch');
  if (watches ? answeredFieldsHelp(call, watchView) : answeredFieldsHelp(call, view())) return undefined;
  const [release = ''] = args;
  const [wanted, order] = [neededTarget(call), orderFlags(call)];
  const signer = await signerOf(call);
  const api = await apiOf(call);
  const [releaseId, target] = await Promise.all([releaseOf(api, release, flags.text('kind')), targetOf(api, wanted)]);
  const { idempotencyKey, body } = order;
  const signature = signer && (await signRelease(call, api, signer, releaseId, target));
  const reply = await ordered(
    call,
    idempotencyKey,
    () =>
      api.post('/api/deployments', {
        idempotencyKey,
        body: { release_id: releaseId, ...target, ...body, ...signature },
      }),
    signature,
  );
  if (!watches) await printObject(call, reply, view());
  tellOrder(call, reply, release, wanted, idempotencyKey);
  return await followOrder(call, api, releaseFace, reply);
}
