import { randomUUID } from 'node:crypto';
import type { AnyDeployment, Api, Reply } from '../../api/api.ts';
import { isTransient } from '../../api/api-errors.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';
import { safeText } from '../../output/safe.ts';
import { formatOf, isForPeople } from '../../output/view.ts';
import { writeRaw } from '../../output/render.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { DeploymentOperations } from './deployment-operations.ts';
import { checkWatchFlags, watchDeployment } from './deployments-watch.ts';
import { bothTimes } from '../../output/time.ts';
import { isInstant } from '../../command-line/instant.ts';
import { parseStartTime, startTimeForms } from '../../command-line/start-time.ts';
import { idOf } from '../../api/names.ts';
import type { Signature, Target } from '../signing/signature-types.ts';
import { signatureOf } from '../signing/signature.ts';

/** The contract's default. */
export const usualActiveMinutes = 30;

/** `text` is as typed: an id, a name or a selector. */
export interface TargetArgument {
  kind: Target['target_kind'];
  text: string;
}

/** The target of `--robot`, `--fleet` or `--selector`; undefined without any. Throws a usage error for several. */
export function wantedTarget({ flags }: Invocation): TargetArgument | undefined {
  const [wanted, other] = (['robot', 'fleet', 'selector'] as const).flatMap((kind) => {
    const text = flags.text(kind);
    return text === undefined ? [] : [{ kind, text }];
  });
  if (wanted && other) throw usage(`--${wanted.kind} and --${other.kind} exclude each other`, 'Use one of the two');
  return wanted;
}

/** The same, but a target is required. */
export function neededTarget(call: Invocation): TargetArgument {
  const wanted = wantedTarget(call);
  if (wanted) return wanted;
  throw usage(
    'missing flag --robot <id|name>, --fleet <id|name> or --selector <selector>',
    `Show usage with: cli help ${call.command.path}`,
  );
}

/** The target, if it exists: nothing is changed for a mistyped one. */
export async function targetOf(api: Api, { kind, text }: TargetArgument): Promise<Target> {
  if (kind !== 'selector') return { target_kind: kind, target_id: await idOf(api, kind, text) };
  await api.get('/api/robots', { query: { label: text, limit: 1 } }).catch((error: unknown) => {
    if (!(error instanceof CliError) || error.code !== 'bad_request') throw error;
    throw error.with({
      message: error.message.replace(/^query\.label: /, '--selector: '),
      hint: 'Example: --selector tier=canary,@site=Osaka',
    });
  });
  return { target_kind: kind, target_selector: text };
}

const visible = /^[!-~]{1,255}$/;

/** Values that the client made for a request, and that a retry has to repeat. */
interface Resolved {
  signature?: Signature | undefined;
  /** Undefined if the flag has an instant, or is absent. */
  scheduledAt?: string | undefined;
  /** The same of `--dynamic-until`. */
  dynamicUntil?: string | undefined;
  /** The tag that `latest` stood for; a newer release may exist at the retry. Undefined if the line names it. */
  latestRelease?: string | undefined;
}

/** The instant of `--scheduled-at`, as typed if it is in RFC 3339; undefined: now. */
function scheduledAtOf({ flags }: Invocation): { at: string | undefined; isResolved: boolean } {
  const text = flags.text('scheduled-at');
  if (text === undefined || isInstant(text)) return { at: text, isResolved: false };
  const start = parseStartTime(text, new Date());
  if ('fault' in start) throw usage(`--scheduled-at: "${text}" ${start.fault}`, `Use ${startTimeForms}`);
  return { at: start.at?.toISOString(), isResolved: true };
}

/** Timing and idempotency flags of a deployment, checked before any request. The service checks the limits. */
export function deployFlags(call: Invocation) {
  const { flags } = call;
  const key = flags.text('idempotency-key');
  const { at, isResolved } = scheduledAtOf(call);
  if (key !== undefined && !visible.test(key))
    throw usage('--idempotency-key must be 1 to 255 visible characters', 'Example: --idempotency-key "$(uuidgen)"');
  const signature = signatureOf(call);
  checkFollowing(call);
  return {
    idempotencyKey: key ?? randomUUID(),
    scheduledAt: isResolved ? at : undefined,
    body: {
      ...(at !== undefined && { scheduled_at: at }),
      ...urgency(call),
      ...windowOverride(call),
      active_minutes: flags.integer('active-minutes') ?? usualActiveMinutes,
      ...(flags.on('ignore-gates') && { ignore_gates: true }),
      ...(flags.on('allow-ungated') && { allow_ungated: true }),
      ...signature,
    },
  };
}

/** `--urgent`: the pace of the rollout is ignored. */
export const urgency = ({ flags }: Invocation): { urgent?: true } => (flags.on('urgent') ? { urgent: true } : {});

/** `--ignore-windows`: also part of a plan. */
export const windowOverride = ({ flags }: Invocation): { ignore_windows?: true } =>
  flags.on('ignore-windows') ? { ignore_windows: true } : {};

/** `--watch` selects the output: the deployment, or its events. */
export function checkFollowing(call: Invocation): void {
  if (call.flags.on('watch')) checkWatchFlags(call);
  else if (call.flags.text('timeout') !== undefined) throw usage('--timeout requires --watch', 'Add --watch');
}

/**
 * Sends the deployment request. If the response is lost or the user interrupts, the outcome is unknown, and the user
 * gets `again`: how to repeat it safely.
 */
export async function sendDeployment<T>({ io }: Invocation, send: () => Promise<T>, again: string): Promise<T> {
  const interrupted = () => {
    io.note(again);
    process.exit(exitCode.interrupted);
  };
  process.off('SIGINT', endOnInterrupt).on('SIGINT', interrupted);
  try {
    return await send();
  } catch (error) {
    throw isTransient(error) ? error.with({ hint: again }) : error;
  } finally {
    process.off('SIGINT', interrupted).once('SIGINT', endOnInterrupt);
  }
}

/**
 * Has the idempotency key with which the same line is safe to retry, and the values that must not be made again: with
 * others it would be another request.
 */
export const repeatHint = (key: string, resolved: Resolved) =>
  `The service may have received it. Repeating the command with --idempotency-key ${key}${insteadOf(resolved)} is safe: it deploys once.`;

function insteadOf({ signature, scheduledAt, dynamicUntil, latestRelease }: Resolved): string {
  const parts = [
    scheduledAt === undefined ? '' : `--scheduled-at ${scheduledAt}`,
    dynamicUntil === undefined ? '' : `--dynamic-until ${dynamicUntil}`,
    latestRelease === undefined ? '' : `${latestRelease} instead of latest`,
    signature ? `--signature ${signature.signature} --key-id ${signature.key_id} instead of --sign` : '',
  ].filter((part) => part !== '');
  return parts.map((part) => `, and ${part}`).join('') + (parts.length === 0 ? '' : ',');
}

/** Reports the deployment on stderr: always if the events follow, else only to people. */
export function printDeploymentNotice(
  { io, flags }: Invocation,
  { body: { data: deployment }, isReplay }: Reply<{ data: AnyDeployment }>,
  what: string,
  wanted: { kind: string; text: string },
  key: string,
): void {
  // A replay of a generated key belongs to an earlier attempt of this line, whose response was lost.
  const isGiven = flags.has('idempotency-key') && flags.isGiven('idempotency-key');
  if (isReplay && isGiven)
    io.note('This key was used before. This is the deployment created then; nothing new was created.');
  const say = flags.on('watch') ? io.note : io.aside;
  say(safeText(`Deploying ${what} to ${wanted.kind} ${wanted.text}`));
  say(safeText(`  id   ${deployment.id}\n  key  ${key}`));
  const { scheduled_at: at } = deployment;
  if (isReplay && at !== undefined) say(safeText(`  scheduled for ${bothTimes(at)}`));
}

/** With `--watch`, follows the deployment's events after the request. */
export async function followDeployment<D extends AnyDeployment>(
  call: Invocation,
  api: Api,
  operations: DeploymentOperations<D>,
  reply: Reply<{ data: D }>,
): Promise<number | undefined> {
  const { id, status, target_kind: kind } = reply.body.data;
  if (call.flags.on('watch')) {
    if (formatOf(call) === 'raw') writeRaw(call, reply.raw);
    return await watchDeployment(call, api, { operations, id, status, isOneRobot: kind === 'robot' });
  }
  if (isForPeople(call)) call.io.aside(`Follow it: ${operations.commands.watch} ${id}`);
  return undefined;
}
