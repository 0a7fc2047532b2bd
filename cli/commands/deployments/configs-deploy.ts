import { randomUUID } from 'node:crypto';
import { apiOf, type Api, type Config, type RolloutPolicy } from '../../api/api.ts';
import { isTransient } from '../../api/api-errors.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { shellWord } from '../../command-line/shell-word.ts';
import { renderObject } from '../../output/render.ts';
import { safeCell, safeText } from '../../output/safe.ts';
import { formatOf } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { configIdOf, configView, namespaceOf } from '../configs/configs.ts';
import { configDeploymentView } from './configs-deployments.ts';
import { answeredDeploymentHelp, beginDeployment } from './deploy-begin.ts';
import {
  checkFollowing,
  followDeployment,
  repeatHint,
  sendDeployment,
  targetOf,
  urgency,
  printDeploymentNotice,
  usualActiveMinutes,
  wantedTarget,
  windowOverride,
  type TargetArgument,
} from './deploy-request.ts';
import type { Target, Signature } from '../signing/signature-types.ts';
import { configDeployments } from './deployment-operations.ts';
import { deployPlan } from './deploy-plan.ts';
import { deploymentEffect } from '../effects/deployment-effect.ts';
import { confirmEffect } from '../effects/effect.ts';
import { checkPolicyFlag, flaggedPolicy } from '../policies/policy-flag.ts';
import { planIdOf } from '../plans/execute-plan.ts';
import { plannedInstead } from '../plans/plan-deployment.ts';
import { printObject } from '../shared.ts';
import { signerOf } from '../signing/sign.ts';
import { checkRevision, signConfig, valueToSign } from '../signing/sign-config.ts';

/** `configs deploy`: deploys a value of a key, by default the newest. */
export async function deployConfig(call: Invocation): Promise<number | undefined> {
  if (answeredDeploymentHelp(call, configDeploymentView())) return undefined;
  const planId = planIdOf(call);
  if (planId !== undefined)
    return await deployPlan(call, planId, {
      operations: configDeployments,
      view: configDeploymentView(),
      send: (api, idempotencyKey, body) => api.post('/api/configs/deployments', { idempotencyKey, body }),
    });
  const [key = ''] = call.args;
  const { wanted, idempotencyKey, scheduledAt, body, dynamic, signer, policy, api } = await beginDeployment(call);
  const [configId, target] = await Promise.all([configIdOf(api, key, namespaceOf(call)), targetOf(api, wanted)]);
  const revision = call.flags.integer('revision');
  const planned = { kind: 'config' as const, config_id: configId, ...(revision !== undefined && { revision }) };
  const waves = policy && { rollout_policy_id: policy.id };
  if (
    await plannedInstead(
      call,
      api,
      { ...planned, ...target, ...dynamic.body, ...waves, ...windowOverride(call) },
      body.scheduled_at,
    )
  )
    return undefined;
  await confirmEffect(call, () =>
    configEffect(api, {
      what: revision === undefined ? key : `${key} (revision ${revision})`,
      configId,
      wanted,
      target,
      scheduledAt: body.scheduled_at,
      dynamicUntil: body.dynamic_until,
      policy,
      isUrgent: body.urgent,
      ignoresWindows: body.ignore_windows,
    }),
  );
  const signed = signer && (await valueToSign(api, configId, revision));
  const signature = signed && (await signConfig(call, api, signer, signed, target));
  const reply = await sendDeployment(
    call,
    () =>
      api.post('/api/configs/deployments', {
        idempotencyKey,
        body: { config_id: configId, ...(revision !== undefined && { revision }), ...target, ...body, ...signature },
      }),
    repeatHint(idempotencyKey, { signature, scheduledAt, dynamicUntil: dynamic.resolved }),
  );
  if (signed) checkRevision(call, signed, reply.body.data);
  if (!call.flags.on('watch')) await printObject(call, reply, configDeploymentView());
  const what = revision === undefined ? key : `${key} (revision ${revision})`;
  printDeploymentNotice(call, reply, what, wanted, idempotencyKey);
  return await followDeployment(call, api, configDeployments, reply);
}

interface PlannedConfig {
  what: string;
  wanted: TargetArgument;
  target: Target;
  configId?: string;
  /** Namespace and key of an entry that may not exist yet. */
  key?: string;
  scheduledAt?: string | undefined;
  dynamicUntil?: string | undefined;
  policy?: RolloutPolicy | undefined;
  isUrgent?: true | undefined;
  ignoresWindows?: true | undefined;
}

/** What the robots have of the entry now is found by its id, or by its key. */
async function configEffect(api: Api, { wanted, configId, key, scheduledAt, ...planned }: PlannedConfig) {
  return await deploymentEffect(api, {
    ...planned,
    targetText: `${wanted.kind} ${wanted.text}`,
    scheduledAt,
    running({ reported: { configs } }) {
      const found =
        key === undefined ? Object.values(configs).find((each) => each.config_id === configId) : configs[key];
      return found && `revision ${found.revision}`;
    },
  });
}

const addTarget = 'Add --robot <robot>, --fleet <fleet> or --selector <selector>';

/** `configs set`: sets the value and, if a target is given, deploys it. */
export async function setConfig(call: Invocation): Promise<number | undefined> {
  const { args, flags } = call;
  const watches = flags.on('watch');
  if (answeredDeploymentHelp(call, configView)) return undefined;
  const [key = '', value = ''] = args;
  const wanted = wantedTarget(call);
  checkFollowing(call);
  checkPolicyFlag(call, wanted?.kind);
  if (watches && !wanted) throw usage('--watch requires --robot, --fleet or --selector', addTarget);
  const signer = await signerOf(call);
  if (flags.on('urgent') && !wanted) throw usage('--urgent requires --robot, --fleet or --selector', addTarget);
  if (signer && !wanted) throw usage('--sign requires --robot, --fleet or --selector', addTarget);
  const api = await apiOf(call);
  // A missing target or policy fails before anything changes.
  const target = wanted && (await targetOf(api, wanted));
  const policy = await flaggedPolicy(call, api);
  const [name, space] = [JSON.stringify(key), JSON.stringify(namespaceOf(call))];
  const json = jsonOf(value, (why) =>
    call.io.note(`Note: the value is not JSON (${safeCell(why)}); it is set as a string`),
  );
  await confirmEffect(call, async () =>
    wanted && target
      ? await configEffect(api, {
          what: `${key} = ${json}`,
          key: `${namespaceOf(call)}/${key}`,
          wanted,
          target,
          policy,
        })
      : { title: `Set ${namespaceOf(call)}/${key} to ${json}`, facts: [], asks: false },
  );
  // In the service's serialization.
  const typed = { namespace: namespaceOf(call), key, value: JSON.stringify(JSON.parse(json)) };
  const signature = signer && target && (await signConfig(call, api, signer, typed, target));
  const reply = await api.post('/api/configs', {
    json: `{"key":${name},"namespace":${space},"value":${json}}`,
  });
  const config = reply.body.data;
  if (!watches || formatOf(call) === 'raw') await renderObject(call, reply, config, configView);
  if (wanted && target) return await deployValue(call, api, config, { wanted, target, policy, signature });
  call.io.aside(safeText(`Send it to robots with: cli configs deploy ${key} --fleet <fleet>`));
  return undefined;
}

interface ValueDeployment {
  wanted: TargetArgument;
  target: Target;
  policy: RolloutPolicy | undefined;
  signature: Signature | undefined;
}

/** The second request of `configs set`. If it fails, the value stays set and the message says how to continue. */
async function deployValue(
  call: Invocation,
  api: Api,
  { id, namespace, key, revision }: Config,
  { wanted, target, policy, signature }: ValueDeployment,
): Promise<number | undefined> {
  const idempotencyKey = randomUUID();
  const waves = policy && { rollout_policy_id: policy.id };
  const body = {
    config_id: id,
    ...target,
    active_minutes: usualActiveMinutes,
    ...urgency(call),
    ...waves,
    ...signature,
  };
  const signed = signature ? ` --signature ${signature.signature} --key-id ${signature.key_id}` : '';
  const urgent = call.flags.on('urgent') ? ' --urgent' : '';
  const line = `cli configs deploy ${key} --namespace ${namespace} --${wanted.kind} ${shellWord(wanted.text)}${waves ? ` --policy ${waves.rollout_policy_id}` : ''}${urgent}${signed} --idempotency-key ${idempotencyKey}`;
  const isSet = `${namespace}/${key} is set, as revision ${revision}`;
  const reply = await sendDeployment(
    call,
    () => api.post('/api/configs/deployments', { idempotencyKey, body }),
    safeText(`${isSet}. The service may have received its deployment. This line deploys it once: ${line}`),
  ).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    const outcome = isTransient(error) ? 'but may not be deployed' : 'but not deployed';
    throw error.with({ message: `${isSet}, ${outcome}: ${error.message}`, hint: `Deploy it with: ${line}` });
  });
  if (signature) checkRevision(call, { revision }, reply.body.data);
  if (formatOf(call) === 'raw' && !call.flags.on('watch')) await printObject(call, reply, configDeploymentView());
  else if (!call.flags.on('watch')) call.io.note(`Deployment ${reply.body.data.id}`);
  printDeploymentNotice(call, reply, `${key} (revision ${revision})`, wanted, idempotencyKey);
  return await followDeployment(call, api, configDeployments, reply);
}

/**
 * JSON is sent exactly as typed; anything else is text. `warn` gets the parse error of text that begins like JSON,
 * because it may be meant as JSON.
 */
function jsonOf(value: string, warn: (why: string) => void): string {
  try {
    JSON.parse(value);
    return value;
  } catch (error) {
    if (/^\s*[{["]/.test(value)) warn((error as SyntaxError).message);
    return JSON.stringify(value);
  }
}
