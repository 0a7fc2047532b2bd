import { CliError } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { latestWord } from '../../command-line/id.ts';
import { runningTag } from '../../output/running-now.ts';
import { answeredDeploymentHelp, beginDeployment } from './deploy-begin.ts';
import {
  followDeployment,
  repeatHint,
  sendDeployment,
  targetOf,
  printDeploymentNotice,
  windowOverride,
} from './deploy-request.ts';
import { releaseOf } from './deploy-release.ts';
import { view } from './deployments.ts';
import { releaseDeployments } from './deployment-operations.ts';
import { deployPlan } from './deploy-plan.ts';
import { countNewer } from './newer-releases.ts';
import { deploymentEffect } from '../effects/deployment-effect.ts';
import { confirmEffect } from '../effects/effect.ts';
import { planIdOf } from '../plans/execute-plan.ts';
import { plannedInstead } from '../plans/plan-deployment.ts';
import { printObject } from '../shared.ts';
import { signRelease } from '../signing/sign-release.ts';

export async function deploy(call: Invocation): Promise<number | undefined> {
  if (answeredDeploymentHelp(call, view())) return undefined;
  const planId = planIdOf(call);
  if (planId !== undefined)
    return await deployPlan(call, planId, {
      operations: releaseDeployments,
      view: view(),
      send: (api, idempotencyKey, body) =>
        api
          .post('/api/deployments', { idempotencyKey, body })
          .catch((error: unknown) => refused(error, isDowngrade, planAgainHint)),
    });
  const [release = ''] = call.args;
  const { wanted, idempotencyKey, scheduledAt, body, dynamic, signer, policy, api } = await beginDeployment(call);
  const kind = call.flags.text('kind');
  const [{ id: releaseId, what, isArchived }, target] = await Promise.all([
    releaseOf(call, api, release, kind),
    targetOf(api, wanted),
  ]);
  const waves = policy && { rollout_policy_id: policy.id };
  const downgrade = call.flags.on('allow-downgrade') ? { allow_downgrade: true } : {};
  if (
    await plannedInstead(
      call,
      api,
      {
        kind: 'release',
        release_id: releaseId,
        ...target,
        ...dynamic.body,
        ...waves,
        ...windowOverride(call),
        ...downgrade,
      },
      body.scheduled_at,
    )
  )
    return undefined;
  await confirmEffect(call, async () => {
    const release = (await api.get('/api/releases', { query: { id: releaseId } })).body.items[0];
    return await deploymentEffect(api, {
      what: release?.tag ?? what,
      target,
      targetText: `${wanted.kind} ${wanted.text}`,
      scheduledAt: body.scheduled_at,
      dynamicUntil: body.dynamic_until,
      policy,
      isUrgent: body.urgent,
      ignoresWindows: body.ignore_windows,
      running: (robot) => release && runningTag(robot, release.kind),
      releaseId,
      newer: (robots) => countNewer(api, release, robots),
      allowsDowngrade: call.flags.on('allow-downgrade'),
    });
  });
  const signature = signer && (await signRelease(call, api, signer, releaseId, target));
  const reply = await sendDeployment(
    call,
    () =>
      api
        .post('/api/deployments', {
          idempotencyKey,
          body: { release_id: releaseId, ...target, ...body, ...downgrade, ...signature },
        })
        .catch((error: unknown) => refused(error, () => isArchived, unarchiveHint(release, kind)))
        .catch((error: unknown) => refused(error, isDowngrade, downgradeHint)),
    repeatHint(idempotencyKey, {
      signature,
      scheduledAt,
      dynamicUntil: dynamic.resolved,
      latestRelease: release === latestWord ? what : undefined,
    }),
  );
  if (!call.flags.on('watch')) await printObject(call, reply, view());
  printDeploymentNotice(call, reply, what, wanted, idempotencyKey);
  return await followDeployment(call, api, releaseDeployments, reply);
}

/** Rejects with the error, with this hint if it is such a conflict. */
function refused(error: unknown, isSuch: (error: CliError) => boolean, hint: string): never {
  throw error instanceof CliError && error.code === 'conflict' && isSuch(error) ? error.with({ hint }) : error;
}

const isDowngrade = ({ message }: CliError) => message.startsWith('downgrade: ');
const downgradeHint = 'Deploy it anyway with: --allow-downgrade';
const planAgainHint = 'Plan again with: --dry-run --allow-downgrade';

const unarchiveHint = (tag: string, kind: string | undefined) =>
  `Make it available again with: cli releases unarchive ${tag}${kind === undefined ? '' : ` --kind ${kind}`}`;
