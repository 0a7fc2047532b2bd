import { isId } from '../../command-line/id.ts';
import { runningTag } from '../../output/running-now.ts';
import { bothTimes, relativeTime } from '../../output/time.ts';
import type { Listing, Release, Robot } from '../data/data.ts';
import type { Mutations } from '../data/mutations.ts';
import type { ActionContext } from '../actions/action.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { chosenTarget, selectedOf } from './selection.ts';
import { commandWords } from './command-line.ts';
import { deploymentPlan } from './deployment-plan.ts';
import { deploymentRequests } from './deployment-requests.ts';
import { countNewer, downgradeFields, isDowngradeAllowed } from './downgrade.ts';
import { chosenRollout, rolloutFields, type ChosenRollout } from './rollout.ts';
import { stableInstants } from './stable-instants.ts';
import { targetForm } from './target-form.ts';
import type { ShownTargets } from './targets.ts';
import { whenLoaded } from './when-loaded.ts';
import { parseStartTime, startTimeForms } from '../../command-line/start-time.ts';

type Values = Readonly<Record<string, string>>;
type RequestBody = Omit<Parameters<Mutations['deployRelease']>[0], 'idempotencyKey'>;

/** Opens the form for release, target and time, then shows the plan. */
export function openDeploy(context: ActionContext): void {
  const { ui } = context;
  const { data } = ui;
  const lists = [data.releases, data.robots, data.fleets, data.sites, data.rolloutPolicies] as const;
  whenLoaded(ui, lists, (releases, robots, fleets, sites, policies) => {
    const known = { robots, fleets, sites };
    const chosen = chosenTarget(context);
    const newest = releases.items
      .filter(isAvailable)
      .sort((one, other) => other.created_at.localeCompare(one.created_at));
    const selected = selectedOf(context, releases);
    const initial = selected && isAvailable(selected) ? selected : undefined;
    const requestOf = deploymentRequests<RequestBody>();
    const target = targetForm(ui, known, chosen);
    const instantOf = stableInstants();
    const newerThan = (values: Values, reached: readonly Robot[]) => {
      const release = releases.byId.get(values['release'] ?? '');
      return release ? countNewer(release, releases, reached) : 0;
    };
    ui.overlay.set({
      kind: 'form',
      form: {
        title: 'Deploy a release',
        fields: [
          {
            name: 'release',
            label: 'Release',
            kind: 'choice',
            choices: newest.map(({ id, tag, kind, created_at }) => ({
              value: id,
              text: `${tag} (${kind}, ${relativeTime(created_at)})`,
            })),
            ...(initial && { initial: initial.id }),
            hint: 'Type part of its tag',
            check: (value) => (value === '' ? 'there is no release yet: cli releases push <path>' : undefined),
          },
          ...target.fields,
          ...rolloutFields(policies),
          ...downgradeFields((values) => newerThan(values, target.candidates(values))),
          {
            name: 'when',
            label: 'When',
            kind: 'text',
            initial: 'now',
            hint: startTimeForms,
            check(value) {
              const when = futureStart(value, new Date());
              return 'fault' in when ? `this ${when.fault}` : undefined;
            },
          },
        ],
        submit: async (values) => {
          const release = releases.byId.get(values['release'] ?? '');
          const text = values['when'] ?? '';
          const when = futureStart(text, new Date());
          if (!release || 'fault' in when) return undefined;
          return deployPlan(ui, {
            release,
            releases,
            target: await target.read(values),
            at: when.at && instantOf(text, when.at),
            rollout: chosenRollout(ui, policies, values),
            allowDowngrade: isDowngradeAllowed(values['downgrade']),
            requestOf,
          });
        },
      },
    });
  });
}

const isAvailable = ({ archived_at: at }: Release) => at === undefined;

interface ReleaseDeployment {
  release: Release;
  releases: Listing<Release>;
  target: ShownTargets;
  at: Date | undefined;
  rollout: ChosenRollout;
  allowDowngrade: boolean;
  requestOf: ReturnType<typeof deploymentRequests<RequestBody>>;
}

/** An empty field means now. A passed instant is refused here, before the plan. */
function futureStart(text: string, now: Date): ReturnType<typeof parseStartTime> {
  const start = parseStartTime(text.trim() === '' ? 'now' : text, now);
  return 'at' in start && start.at <= now ? { fault: 'has passed' } : start;
}

function deployPlan(ui: Ui, settings: ReleaseDeployment): Plan {
  const { release, releases, target, at, rollout, allowDowngrade, requestOf } = settings;
  const { tag, kind, id: releaseId } = release;
  const tagOf = (robot: Robot) => runningTag(robot, kind);
  const isAmbiguous = releases.items.some((other) => other.tag === tag && other.kind !== kind);
  const scheduledAt = at?.toISOString();
  return deploymentPlan<RequestBody>(ui, {
    what: tag,
    facts: [{ label: 'Release', text: `${tag} (${kind})` }],
    target,
    running: tagOf,
    newer: (robots) => countNewer(release, releases, robots),
    when: at ? `not before ${bothTimes(at.toISOString())}` : 'now',
    warnings: ({ robots }) =>
      robots.length > 0 && robots.every((robot) => tagOf(robot) === tag) ? ['All of these robots already run it.'] : [],
    rollout,
    shownOf: [ui.data.robots, ui.data.rolloutPolicies],
    line: (flag) =>
      commandWords({
        command: 'deploy',
        args: [isAmbiguous || isId(tag) ? releaseId : tag],
        flags: { ...flag, 'scheduled-at': scheduledAt, 'allow-downgrade': allowDowngrade || undefined },
      }),
    requestOf,
    bodyOf: (each) => ({
      releaseId,
      target: each,
      scheduledAt,
      policyId: rollout.policyId,
      isUrgent: rollout.isUrgent,
      ignoresWindows: rollout.ignoresWindows,
      allowDowngrade,
    }),
    kind: 'release',
    send: (body) => ui.mutations.deployRelease(body),
  });
}
