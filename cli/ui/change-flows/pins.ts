import { endTimeForms, parseEndTime } from '../../command-line/end-time.ts';
import { isId } from '../../command-line/id.ts';
import { pinText } from '../../output/pin-text.ts';
import { bothTimes, relativeTime } from '../../output/time.ts';
import type { Action } from '../actions/action.ts';
import type { Listing, Release, Robot } from '../data/data.ts';
import type { FormField, Plan } from '../overlays/overlay.ts';
import { releasesOf } from '../screens/robot-rows.ts';
import type { Ui } from '../ui.ts';
import { commandWords, nameOrId } from './command-line.ts';
import { reasonField } from './reason.ts';
import { oneRobot, oneRobotDisabledReason } from './robots.ts';
import { whenLoaded } from './when-loaded.ts';

type Flow = Required<Pick<Action, 'disabledReason' | 'run' | 'line'>>;

interface Wish {
  /** Undefined: what the robot runs. */
  release: Release | undefined;
  until: string;
  reason: string;
}

const whatItRuns = '';

const runningText = (robot: Robot): string =>
  releasesOf(robot)
    .map(({ tag }) => tag)
    .join(', ') || 'nothing yet';

const fieldsFor = (robot: Robot, { items }: Listing<Release>): readonly FormField[] => [
  {
    name: 'release',
    label: 'Release',
    kind: 'choice',
    choices: [
      { value: whatItRuns, text: `what it runs (${runningText(robot)})` },
      ...[...items]
        .sort((one, other) => other.created_at.localeCompare(one.created_at))
        .map(({ id, tag, kind, created_at: at }) => ({ value: id, text: `${tag} (${kind}, ${relativeTime(at)})` })),
    ],
    hint: 'It gets no other one; type part of a tag',
  },
  {
    name: 'until',
    label: 'Until',
    kind: 'text',
    hint: endTimeForms,
    check(value) {
      const time = parseEndTime(value, new Date());
      if ('fault' in time) return value.trim() === '' ? 'an end is required' : `this ${time.fault}`;
      return time.at <= new Date() ? 'this has passed' : undefined;
    },
  },
  {
    ...reasonField,
    hint: 'For colleagues: deployments that wait for the robot show it',
    check: (value) => (value.trim() === '' ? 'a reason is required' : reasonField.check?.(value)),
  },
];

const lineOf = ({ data }: Ui, command: string, robot: Robot, flags = {}) =>
  commandWords({ command, args: [nameOrId(data.robots.get().value?.items, robot.id)], flags });

function pinPlan(ui: Ui, robot: Robot, { release, until, reason }: Wish): Plan {
  const { items = [] } = ui.data.releases.get().value ?? {};
  const isUnique = items.filter(({ tag }) => tag === release?.tag).length === 1;
  return {
    title: `Pin ${robot.name}`,
    facts: [
      { label: 'Robot', text: `${robot.name} (${robot.online ? 'online' : 'offline'})` },
      { label: 'Release', text: release ? `${release.tag} (${release.kind})` : `what it runs: ${runningText(robot)}` },
      { label: 'Until', text: bothTimes(until) },
      { label: 'Reason', text: reason },
      ...(robot.pin ? [{ label: 'Instead of', text: pinText(robot.pin) }] : []),
    ],
    warnings: ['It gets no other release until then. An order that it already has is not withdrawn.'],
    line: lineOf(ui, 'robots pin', robot, {
      release: release && (isUnique && !isId(release.tag) ? release.tag : release.id),
      until,
      reason,
    }),
    confirm: { kind: 'enter' },
    isRepeatable: true,
    async run() {
      const { tag, deployment_id: order } = await ui.mutations.pinRobot(robot.id, {
        releaseId: release?.id,
        until,
        reason,
      });
      const rest = order === undefined ? '' : ` It still carries out deployment ${order}.`;
      return `Pinned ${robot.name} at ${tag} until ${bothTimes(until)}.${rest}`;
    },
  };
}

/** The part of an action that pins the robot of the screen or under the cursor. */
export const pinFlow: Flow = {
  disabledReason: oneRobotDisabledReason,
  run(context) {
    const { ui } = context;
    const robot = oneRobot(context);
    if (!robot) return;
    whenLoaded(ui, [ui.data.releases], (releases) =>
      ui.overlay.set({
        kind: 'form',
        form: {
          title: `Pin ${robot.name} at a release`,
          fields: fieldsFor(robot, releases),
          submit: async ({ release = whatItRuns, until = '', reason = '' }) => {
            const time = parseEndTime(until, new Date());
            return 'fault' in time
              ? undefined // the field has said so
              : pinPlan(ui, robot, {
                  release: releases.byId.get(release),
                  until: time.at.toISOString(),
                  reason: reason.trim(),
                });
          },
        },
      }),
    );
  },
  line(context) {
    const robot = oneRobot(context);
    return robot && lineOf(context.ui, 'robots pin', robot);
  },
};

/** The part of an action that ends the pin of the robot of the screen or under the cursor. */
export const unpinFlow: Flow = {
  disabledReason: (context) =>
    oneRobotDisabledReason(context) ?? (oneRobot(context)?.pin ? undefined : 'the robot is not pinned'),
  run(context) {
    const { ui } = context;
    const robot = oneRobot(context);
    if (!robot?.pin) return;
    ui.overlay.set({
      kind: 'plan',
      plan: {
        title: `Unpin ${robot.name}`,
        facts: [{ label: 'Pinned at', text: pinText(robot.pin) }],
        warnings: ['Within seconds it gets the deployments that waited for it.'],
        line: lineOf(ui, 'robots unpin', robot),
        confirm: { kind: 'enter' },
        async run() {
          await ui.mutations.unpinRobot(robot.id);
          return `Unpinned ${robot.name}.`;
        },
      },
    });
  },
  line(context) {
    const robot = oneRobot(context);
    return robot && lineOf(context.ui, 'robots unpin', robot);
  },
};
