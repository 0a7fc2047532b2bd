import type { Api, Robot, RolloutPolicy } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import { downgradeText } from '../../output/downgrade-text.ts';
import { rolloutFacts } from '../../output/rollout-facts.ts';
import { runningNow } from '../../output/running-now.ts';
import { bothTimes } from '../../output/time.ts';
import type { Target } from '../signing/signature-types.ts';
import type { Effect } from './effect.ts';

interface PlannedDeployment {
  /** Name of what is deployed. */
  what: string;
  target: Target;
  /** The target as typed, such as `fleet pickers`. */
  targetText: string;
  scheduledAt: string | undefined;
  /** Until when robots that match later receive it too. */
  dynamicUntil?: string | undefined;
  /** Undefined: all robots receive it at once. */
  policy?: RolloutPolicy | undefined;
  isUrgent?: true | undefined;
  ignoresWindows?: true | undefined;
  /** What a robot runs now in place of it; undefined: unknown. */
  running: (robot: Robot) => string | undefined;
  /** Undefined for a config entry: pins hold releases only. */
  releaseId?: string | undefined;
  /** How many robots run a newer release; undefined for a config entry. */
  newer?: (robots: readonly Robot[]) => Promise<number>;
  /** Whether the line says that they may get an older one. */
  allowsDowngrade?: boolean;
}

/** Of the service: later starts are refused. */
const maxYears = 5;
const [dayMs, yearMs] = [86_400_000, 366 * 86_400_000];

/**
 * The robots that a deployment reaches now: how many, what they run, and who has to wait. Asks unless it is one that gets it,
 * and no older release than it runs.
 * @throws CliError as `checkStart`
 */
export async function deploymentEffect(api: Api, planned: PlannedDeployment): Promise<Effect> {
  const { what, target, targetText, scheduledAt, dynamicUntil, policy, running, releaseId, newer } = planned;
  checkStart(scheduledAt);
  const robots = await robotsOf(api, target);
  const offline = robots.filter(({ online }) => !online).length;
  const ill = (['unhealthy', 'degraded'] as const).flatMap((status) => {
    const count = robots.filter(({ health_status: health }) => health === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  const pinned = releaseId === undefined ? undefined : pinnedText(robots, releaseId);
  const downgrade = downgradeText(await newer?.(robots));
  return {
    title: `Deploy ${what} to ${targetText}`,
    facts: [
      ['Robots', reachText(robots.length, target, scheduledAt)],
      ['Offline', offline === 0 ? undefined : `${offline}, to receive it when they reconnect`],
      ['Health', ill.length === 0 ? undefined : ill.join(', ')],
      ['Running', robots.length === 0 ? undefined : runningNow(robots, running)],
      ['Downgrade', downgrade],
      ['Pinned', pinned],
      ['Start', scheduledAt === undefined ? 'now' : bothTimes(scheduledAt)],
      ['Dynamic', dynamicUntil === undefined ? undefined : `also robots that match until ${bothTimes(dynamicUntil)}`],
      ...(policy ? rolloutFacts(policy, planned) : []),
    ],
    asks:
      robots.length !== 1 ||
      pinned !== undefined ||
      (downgrade !== undefined && !planned.allowsDowngrade) ||
      (target.target_kind === 'selector' && (scheduledAt !== undefined || dynamicUntil !== undefined)),
  };
}

async function robotsOf(api: Api, target: Target): Promise<readonly Robot[]> {
  switch (target.target_kind) {
    case 'robot':
      return [(await api.get('/api/robots/{id}', { path: { id: target.target_id } })).body.data];
    case 'fleet':
      return (await api.get('/api/robots', { query: { fleet_id: target.target_id } })).body.items;
    case 'selector':
      return (await api.get('/api/robots', { query: { label: target.target_selector } })).body.items;
  }
}

/** `amr-1 is pinned at nav-1 until …: it receives this after that`; undefined if no robot is pinned at another release. */
function pinnedText(robots: readonly Robot[], releaseId: string): string | undefined {
  const pinned = robots.filter(({ pin }) => pin && pin.release_id !== releaseId);
  const [{ name, pin } = {}] = pinned;
  if (!pin) return undefined;
  if (pinned.length > 1) return `${pinned.length} at another release: they receive this when their pins end`;
  return `${name} is pinned at ${pin.tag} until ${bothTimes(pin.until)}: it receives this after that`;
}

/** A deployment that begins without robots fails, and robots that join later do not get it. */
function reachText(count: number, { target_kind: kind }: Target, scheduledAt: string | undefined): string {
  if (kind === 'robot') return String(count);
  if (kind === 'selector') {
    if (scheduledAt !== undefined) return `those that match at the start, ${count} now`;
    return count > 0 ? `${count}, which match now` : 'none: it will fail';
  }
  if (count > 0) return `${count}, and those that join later`;
  return scheduledAt === undefined ? 'none: it will fail' : 'none yet: it will fail if none joins before the start';
}

/** @throws CliError for a start that is far from now: a mistyped year. The service judges the others by its own clock. */
export function checkStart(scheduledAt: string | undefined): void {
  if (scheduledAt === undefined) return;
  const aheadMs = Date.parse(scheduledAt) - Date.now();
  if (aheadMs > -dayMs && aheadMs < maxYears * yearMs) return;
  const why = aheadMs < 0 ? 'is in the past' : `is more than ${maxYears} years ahead`;
  // As if the service had refused it.
  throw new CliError(`--scheduled-at: ${bothTimes(scheduledAt)} ${why}`, {
    code: 'bad_request',
    hint: 'Check the year',
  });
}
