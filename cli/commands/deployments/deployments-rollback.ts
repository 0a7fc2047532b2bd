import { apiOf, type AnyDeployment, type Api, type DeploymentRollback } from '../../api/api.ts';
import { humanize } from '../../output/deployment-format.ts';
import { earlierText, excludedTexts, returnsText, type Earlier } from '../../output/rollback-text.ts';
import { relativeTime } from '../../output/time.ts';
import { answeredFieldsHelp, needsNames, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { confirmEffect } from '../effects/effect.ts';
import { nameLookup, noNames, type Names, type Reference } from '../name-lookup.ts';
import { printObject } from '../shared.ts';
import { signConfig, valueToSign } from '../signing/sign-config.ts';
import { signRelease } from '../signing/sign-release.ts';
import { signerOf, type Signer } from '../signing/sign.ts';
import type { Signature, Target } from '../signing/signature-types.ts';
import { namedDeploymentIdOf } from './deployment-id.ts';
import type { DeploymentOperations } from './deployment-operations.ts';

const view = (names: Names = noNames): View<DeploymentRollback> => ({
  columns: [
    {
      field: 'request',
      header: 'REQUESTED',
      shown: 'table',
      text: ({ request }) =>
        request ? [relativeTime(request.since), request.reason].filter((part) => part !== undefined).join(': ') : '',
    },
    { field: 'returns', shown: 'table', text: (rollback) => returnsText(rollback, names) },
    { field: 'excluded', header: 'KEEP IT', shown: 'table', text: (rollback) => excludedTexts(rollback).join(', ') },
  ],
  name: () => 'rollback',
});

/** What robots return to, as `show` lists it. */
export const returnView = (names: Names): View<DeploymentRollback['returns'][number]> => ({
  columns: [
    { field: 'release_id', header: 'RETURN TO', shown: 'table', text: (each) => earlierText(each, names) },
    { field: 'revision', header: 'RETURN TO', shown: 'table', text: (each) => earlierText(each, names) },
    { field: 'robots', shown: 'table' },
    { field: 'deployment_id', header: 'DEPLOYMENT', shown: 'table', whole: true },
  ],
  name: (each) => String(each.release_id ?? each.revision),
});

export const returnReferences = ({ returns }: DeploymentRollback): Reference[] =>
  returns.flatMap(({ release_id: id }): Reference[] => (id === undefined ? [] : [['releases', id]]));

/** `deployments rollback` and `configs rollback`. */
export async function rollBackOf<D extends AnyDeployment>(
  call: Invocation,
  operations: DeploymentOperations<D>,
): Promise<void> {
  if (answeredFieldsHelp(call, view())) return;
  const signer = await signerOf(call);
  const api = await apiOf(call);
  const id = await namedDeploymentIdOf(call, api, operations);
  const names = nameLookup(api);
  await confirmEffect(call, async () => {
    const [{ body }, planned] = await Promise.all([operations.get(api, id), operations.rollback(api, id)]);
    const { status, counts, ended_at: endedAt } = body.data;
    await names.load(returnReferences(planned.body.data));
    return {
      title: `Roll back deployment ${id} (${humanize(status)})`,
      facts: [
        ['Not begun', endedAt === undefined ? `${counts.waiting} robots, which do not receive it` : undefined],
        ['Return', returnsText(planned.body.data, names) || 'no robot'],
        ['Keep it', excludedTexts(planned.body.data).join(', ') || undefined],
      ],
    };
  });
  const reason = call.flags.text('reason');
  const reply = await operations.rollBack(api, id, {
    ...(reason !== undefined && { reason }),
    ...(signer && { signatures: await signaturesFor(call, api, operations, id, signer) }),
  });
  if (needsNames(call, view())) await names.load(returnReferences(reply.body.data));
  const { commands } = operations;
  await printObject(call, reply, view(names), `Robots return in deployments of their own: ${commands.rollbacks} ${id}`);
}

/** A signature for each release or revision that robots return to, for the target of the deployment. */
async function signaturesFor<D extends AnyDeployment>(
  call: Invocation,
  api: Api,
  operations: DeploymentOperations<D>,
  id: string,
  signer: Signer,
): Promise<(Earlier & Signature)[]> {
  const [{ body: of }, { body: planned }] = await Promise.all([operations.get(api, id), operations.rollback(api, id)]);
  const deployment: AnyDeployment = of.data;
  const target = signedTargetOf(deployment);
  const { returns, excluded } = planned.data;
  const wanted = [...returns, ...excluded.filter(({ code }) => code === 'signature_required')];
  const signed = new Map<string | number, Earlier & Signature>();
  for (const { release_id: releaseId, revision } of wanted) {
    if (releaseId !== undefined && !signed.has(releaseId))
      signed.set(releaseId, { release_id: releaseId, ...(await signRelease(call, api, signer, releaseId, target)) });
    if (revision !== undefined && !signed.has(revision) && 'config_id' in deployment) {
      const value = await valueToSign(api, deployment.config_id, revision);
      signed.set(revision, { revision, ...(await signConfig(call, api, signer, value, target)) });
    }
  }
  return [...signed.values()];
}

const signedTargetOf = ({ target_kind: kind, target_id: id, target_selector: selector }: AnyDeployment): Target =>
  selector === undefined
    ? { target_kind: kind as 'robot' | 'fleet', target_id: id }
    : { target_kind: 'selector', target_selector: selector };
