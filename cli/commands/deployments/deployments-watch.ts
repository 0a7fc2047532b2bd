import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../transport/backoff.ts';
import { clientOf, withoutRetries, type AnyDeployment, type Api, type DeploymentTarget } from '../../api/api.ts';
import { isTransient } from '../../api/api-errors.ts';
import { usage } from '../../command-line/errors.ts';
import { exitCode, type ExitCode } from '../../command-line/exit-codes.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';
import { span } from '../../output/units.ts';
import { deploymentWait } from '../../output/approval-text.ts';
import { waveEnds } from '../../output/wave-text.ts';
import { isForPeople } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { eventDisplay, redraws } from './deployments-display.ts';
import { nameLookup, type NameLookup } from '../name-lookup.ts';
import { failureLines, fleetSummary, sumsUp } from './deployments-summary.ts';
import type { DeploymentOperations } from './deployment-operations.ts';
import { endsOf, isTerminal, humanize, waitOf } from '../../output/deployment-format.ts';
import { secondsOfSpan } from '../../command-line/instant.ts';
import { safeCell, safeText } from '../../output/safe.ts';

/** From one response to the next request. */
const intervalMs = 2_000;
/** After this long without an event, the display says what the deployment waits for. */
const quietMs = 10_000;
/** At `--timeout` the service has this long to report what the deployment waits for. */
const lastQuestionMs = 2_000;
/** Events per response: below 50 KB even for a fleet with thousands of events. */
const pageSize = 150;

interface Watch {
  operations: DeploymentOperations;
  id: string;
  isOneRobot: boolean;
  /** As last read; events report later changes. */
  status: string;
  reason?: string | undefined;
  /** Only events after this number. Default: all. */
  after?: number | undefined;
}

/** Throws a usage error for an invalid `--timeout` and for output formats that cannot be written event by event. */
export function checkWatchFlags(call: Invocation): void {
  const output = call.flags.text('output');
  if (output === 'json' || output === 'yaml' || output === 'name')
    throw usage(`--watch cannot print ${output}`, 'Use -o jsonl');
  timeoutOf(call);
}

const timeoutOf = ({ flags }: Invocation) => {
  const text = flags.text('timeout');
  return text === undefined ? undefined : secondsOfSpan('timeout', text);
};

/**
 * Prints each event once until the deployment has ended; returns the exit code of its outcome. Retries while the
 * service is unavailable, and ends on a refusal. Ctrl-C and `--timeout` end the process, not the deployment.
 */
export async function watchDeployment(call: Invocation, { connection }: Api, watch: Watch): Promise<ExitCode> {
  const { operations, id } = watch;
  const api = clientOf(withoutRetries(call), connection);
  const names = nameLookup(api);
  const isSummedUp = sumsUp(call, watch.isOneRobot);
  const display = eventDisplay(call, names, isSummedUp ? fleetSummary(api, operations, id) : undefined);
  leaveInTime(call, api, watch, () => display.end());
  let [after, heardAt, backoff] = [watch.after ?? 0, performance.now(), backoffMs()];
  let known: Pick<Watch, 'status' | 'reason'> = watch;
  for (;;) {
    let waitMs = intervalMs;
    try {
      const { body } = await operations.events(api, id, { after, limit: pageSize });
      const last = body.items.at(-1);
      await display.show(body.items);
      backoff = backoffMs();
      if (last) [after, heardAt, known] = [last.seq, performance.now(), last];
      if (body.items.length === pageSize) continue;
      const { status, reason } = known;
      if (isTerminal(status))
        return await tellEnd(call, api, watch, display.end, { status, reason, named: isSummedUp ? names : undefined });
      await tellState(call, api, watch, display.state, performance.now() - heardAt >= quietMs);
    } catch (error) {
      if (!isTransient(error)) throw error;
      waitMs = Math.max(intervalMs, backoff.next().value);
      display.fail(error.message, waitMs);
    }
    await pause(waitMs);
  }
}

/** Waits that are shown without a quiet period. */
const soon: readonly (string | undefined)[] = ['schedule', 'approval', 'deployment'];

type TellState = ReturnType<typeof eventDisplay>['state'];

/** A state that cannot be read is omitted: the events matter more. */
async function tellState(call: Invocation, api: Api, watch: Watch, tell: TellState, isQuiet: boolean) {
  if (!isQuiet && !redraws(call)) return;
  try {
    const deployment = (await watch.operations.get(api, watch.id)).body.data;
    const robot = await onlyRobot(api, watch, deployment);
    const showsWait = isQuiet || soon.includes(deployment.waiting_on?.code);
    await tell(deployment, showsWait ? (robot?.waiting_on ?? deployment.waiting_on) : undefined, robot);
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}

/** The robot of a single-robot deployment, which has more detail than one of several robots. */
async function onlyRobot(
  api: Api,
  { operations, id }: Watch,
  { target_kind: kind }: AnyDeployment,
): Promise<DeploymentTarget | undefined> {
  return kind === 'robot' ? (await operations.targets(api, id, { limit: 1 })).body.items[0] : undefined;
}

/** `: the robot is offline, for 5m`; empty if the service does not respond in time. */
async function lastWait(api: Api, watch: Watch): Promise<string> {
  const asked = watch.operations.get(api, watch.id).then(async ({ body: { data } }) => {
    const robot = await onlyRobot(api, watch, data);
    return robot?.waiting_on ? waitOf(robot.waiting_on) : deploymentWait(data);
  });
  const wait = await Promise.race([asked.catch(() => undefined), pause(lastQuestionMs, undefined)]);
  return wait ? `: ${wait}` : '';
}

async function tellEnd(
  call: Invocation,
  api: Api,
  { operations, id }: Watch,
  leave: () => void,
  { status, reason: ofEvent, named }: { status: string; reason: string | undefined; named: NameLookup | undefined },
): Promise<ExitCode> {
  const { io } = call;
  const deployment = await operations.get(api, id).then(
    ({ body }) => body.data,
    () => undefined,
  );
  leave();
  const counts = deployment && deployment.counts.total > 0 ? endsOf(deployment.counts) : '';
  const waves = deployment && waveEnds(deployment);
  if (waves !== undefined && isForPeople(call)) io.aside(waves);
  const [reason, took] = [deployment?.reason ?? ofEvent, tookOf(deployment)];
  if (status === 'applied') {
    if (isForPeople(call)) io.aside(`${io.err.paint('Applied.', 'good')} ${[counts, took].filter(Boolean).join(', ')}`);
    return exitCode.ok;
  }
  const failures =
    named && deployment ? await failureLines(call, api, operations, id, deployment, named).catch(() => []) : [];
  for (const failure of failures) io.note(failure);
  const why = reason && (reasons.get(reason) ?? safeCell(reason));
  const ends = counts && why ? `${counts} (${why})` : counts || why;
  const details = [ends, took].filter(Boolean).join(', ');
  const error = `the deployment ended as ${humanize(status)}${details === '' ? '' : `: ${details}`}`;
  io.note(`${io.err.paint('Error:', 'bad')} ${safeText(error)}`);
  io.note(safeText(`  More: ${operations.commands.show} ${id}`));
  return exitCode.notApplied;
}

/** The service's reasons. Any other reason comes from a robot. */
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    no_targets: 'the target has no robots',
    downgrade_left_out: 'every robot of the target runs a newer release',
    rejected: 'a person rejected it',
    approval_expired: 'too few people approved it in time',
    too_many_orders: 'too many orders wait for a robot',
    too_many_targets: 'the target has too many robots for one deployment',
    unknown_selector_name: 'a selector of it names a site, fleet or capability that does not exist',
  }),
);

function tookOf(deployment: AnyDeployment | undefined): string {
  const { started_at: begin, ended_at: end } = deployment ?? {};
  return begin === undefined || end === undefined ? '' : `in ${span((Date.parse(end) - Date.parse(begin)) / 1000)}`;
}

/** Ends only the watch; the message says how to watch again. */
function leaveInTime(call: Invocation, api: Api, watch: Watch, leave: () => void): void {
  const { operations, id } = watch;
  const { io } = call;
  const go = (why: string, code: ExitCode) => {
    leave();
    io.note(safeText(`${why} The deployment continues.`));
    io.note(safeText(`  Watch it: ${operations.commands.watch} ${id}   Stop it: ${operations.commands.cancel} ${id}`));
    process.exit(code);
  };
  process.off('SIGINT', endOnInterrupt).once('SIGINT', () => go('Stopped watching.', exitCode.interrupted));
  const seconds = timeoutOf(call);
  if (seconds === undefined) return;
  const end = async () => go(`Not ended after ${span(seconds)}${await lastWait(api, watch)}.`, exitCode.timedOut);
  const timer = setTimeout(() => void end(), seconds * 1000);
  timer.unref();
}
