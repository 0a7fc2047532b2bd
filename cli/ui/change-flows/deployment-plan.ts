import { downgradeText } from '../../output/downgrade-text.ts';
import { runningNow } from '../../output/running-now.ts';
import type { DeploymentKind, Resource, Robot } from '../data/data.ts';
import type { Target } from '../data/mutations.ts';
import type { Plan } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';
import { madeWarnings, makeAll, type deploymentRequests } from './deployment-requests.ts';
import type { ChosenRollout } from './rollout.ts';
import { countOf, targetFacts, targetWarnings, type ShownTargets, type Targets } from './targets.ts';
import { typedConfirmation } from './typed-confirmation.ts';
import { staleWarnings } from './when-loaded.ts';

interface DeploymentPlanSettings<T> {
  /** Name of what is deployed. */
  what: string;
  facts: Plan['facts'];
  target: ShownTargets;
  /** The version that a robot runs now; undefined: unknown. */
  running: (robot: Robot) => string | undefined;
  when: string;
  rollout: ChosenRollout;
  /** Robots that run a newer release; undefined for a config entry. */
  newer?: (robots: readonly Robot[]) => number;
  warnings?: (targets: Targets) => string[];
  /** The plan warns if one of these is stale. */
  shownOf: readonly Resource<unknown>[];
  line: (flag: Targets['flag'] & ChosenRollout['flag']) => readonly string[];
  requestOf: ReturnType<typeof deploymentRequests<T>>;
  bodyOf: (target: Target) => T;
  kind: DeploymentKind;
  send: (body: T & { idempotencyKey: string }) => Promise<{ id: string }>;
}

/** The plan of a deployment of a release or of a config entry. */
export function deploymentPlan<T>(ui: Ui, settings: DeploymentPlanSettings<T>): Plan {
  const { what, target, running, when, rollout, newer, warnings, shownOf, requestOf, bodyOf, send } = settings;
  const { text, flag } = target.shown();
  const requests = () => target.shown().targets.map(({ name, ...each }) => requestOf(bodyOf(each), name));
  return {
    title: `Deploy ${what} to ${text}`,
    get facts() {
      const { robots } = target.shown();
      const downgrade = downgradeText(newer?.(robots));
      return [
        ...settings.facts,
        ...targetFacts(target.shown()),
        { label: 'Running', text: robots.length === 0 ? 'nothing' : runningNow(robots, running) },
        ...(downgrade === undefined ? [] : [{ label: 'Downgrade', text: downgrade }]),
        { label: 'When', text: when },
        ...rollout.facts(),
      ];
    },
    get warnings() {
      return [
        ...targetWarnings(target.shown()),
        ...(warnings?.(target.shown()) ?? []),
        ...madeWarnings(requests()),
        ...staleWarnings(ui, shownOf),
      ];
    },
    line: settings.line({ ...flag, ...rollout.flag }),
    get confirm() {
      const { confirm, robots } = target.shown();
      return confirm.kind === 'enter' ? confirm : typedConfirmation(ui, confirm.text, countOf(robots));
    },
    isRepeatable: true,
    async run(tell) {
      await target.check();
      const [id, ...more] = await makeAll(requests(), send, tell);
      const message = `Deploying ${what} to ${text}.`;
      // Of several deployments, the list shows how all of them go.
      if (id === undefined || more.length > 0) return { message, open: { screen: 'deployments' } };
      return { message, open: { screen: 'deployment', deployment: { deploymentKind: settings.kind, id } } };
    },
  };
}
