import type { AnyDeployment, Api, TargetCounts } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { endedOf, humanize } from '../../output/deployment-format.ts';
import { safeCell } from '../../output/safe.ts';
import { cutTo } from '../../output/text-width.ts';
import { span } from '../../output/units.ts';
import { waveProgress } from '../../output/wave-text.ts';
import { isForPeople } from '../../output/view.ts';
import type { NameLookup } from '../name-lookup.ts';
import type { DeploymentOperations } from './deployment-operations.ts';
import { robotsIn } from './deployments-events.ts';

/** Failed robots that are named at the end. */
const maxNamed = 20;
/** The robots that wait are asked one by one who is offline only if they are few. */
const maxAsked = 200;
const askEveryMs = 10_000;

/** True if several robots are summed up on one line that is rewritten in place; else each has lines. */
export const sumsUp = ({ io, environment, flags, ...call }: Invocation, isOneRobot: boolean) =>
  !isOneRobot &&
  io.out.tty &&
  io.err.tty &&
  !environment.dumb &&
  !flags.on('verbose') &&
  isForPeople({ io, environment, flags, ...call });

export interface FleetSummary {
  /** `wave 2 of 4: 22 of 40 ended · 42/200 applied · 3 failed · 12 offline · 143 waiting · 2.1/s · 1m 20s`. */
  line(deployment: AnyDeployment): Promise<string>;
}

/** `nowMs`: a clock that never goes back. */
export function fleetSummary(
  api: Api,
  { targets }: DeploymentOperations,
  id: string,
  nowMs: () => number = () => performance.now(),
): FleetSummary {
  const beganAtMs = nowMs();
  let first: number | undefined;
  let offline = { count: 0, atMs: -Infinity };

  /** Robots that wait because they are offline; 0 if too many wait to ask. */
  async function offlineNow(waiting: number): Promise<number> {
    if (waiting === 0 || waiting > maxAsked) return 0;
    if (nowMs() - offline.atMs < askEveryMs) return Math.min(offline.count, waiting);
    const { body } = await targets(api, id, { status: 'waiting', limit: maxAsked });
    offline = { count: body.items.filter((item) => item.waiting_on?.code === 'offline').length, atMs: nowMs() };
    return Math.min(offline.count, waiting);
  }

  return {
    async line(deployment) {
      const { status, counts, started_at: startedAt } = deployment;
      const seconds = startedAt === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(startedAt)) / 1000);
      const elapsed = seconds < 1 ? '' : span(seconds);
      if (counts.total === 0) return [humanize(status), elapsed].filter((part) => part !== '').join(' · ');
      const ended = endedOf(counts);
      first ??= ended;
      // Of the time that was watched: a deployment may be hours old.
      const perSecond = (ended - first) / ((nowMs() - beganAtMs) / 1000);
      const rate =
        perSecond > 0 ? (perSecond < 1 ? `${Math.round(perSecond * 60)}/min` : `${perSecond.toFixed(1)}/s`) : '';
      return [waveProgress(deployment), ...partsOf(counts, await offlineNow(counts.waiting)), rate, elapsed]
        .filter((part) => part !== '')
        .join(' · ');
    },
  };
}

function partsOf(
  { total, waiting, applied, failed, rolled_back, cancelled, ...working }: TargetCounts,
  offline: number,
) {
  const atWork = Object.values(working).reduce((sum, count) => sum + count, 0);
  const others = {
    failed,
    'rolled back': rolled_back,
    cancelled,
    working: atWork,
    offline,
    waiting: waiting - offline,
  };
  const counted = Object.entries(others).filter(([, count]) => count > 0);
  return [`${applied}/${total} applied`, ...counted.map(([what, count]) => `${count} ${what}`)];
}

/** The robots that failed, with their reasons, cut to the width of the terminal; the last line says how to list more. */
export async function failureLines(
  { io: { err } }: Invocation,
  api: Api,
  { targets, commands }: DeploymentOperations,
  id: string,
  { counts }: AnyDeployment,
  names: NameLookup,
): Promise<string[]> {
  const lines: string[] = [];
  for (const status of ['failed', 'rolled_back'] as const) {
    if (counts[status] === 0) continue;
    const { body } = await targets(api, id, { status, limit: maxNamed });
    await names.load(robotsIn(body.items));
    for (const { robot_id: robot, reason = status, message = '' } of body.items) {
      const said = message.trim().split('\n', 1)[0] ?? '';
      const parts = [names.get(robot) ?? robot, reason, said].filter((part) => part !== '');
      lines.push(cutTo(`  ${parts.map(safeCell).join('  ')}`, err.columns, '…'));
    }
    const more = counts[status] - body.items.length;
    if (more > 0) lines.push(`  and ${more} more: ${commands.targets} ${id} --status ${status}`);
  }
  return lines;
}
