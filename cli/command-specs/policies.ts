import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const policy: ArgumentSpec = { name: 'policy', takes: 'rollout policy', description: 'ID or name of the policy' };

const rolloutFlags: readonly FlagSpec[] = [
  {
    name: 'wave',
    type: 'text',
    value: 'wave',
    multiple: true,
    description: 'Robots of the next wave: 10%, 5, tier=canary, "floor in (1,2) 5" or "canaries: tier=canary"',
  },
  {
    name: 'applied-percent',
    type: 'text',
    value: 'n',
    description: 'Percentage of a wave that must have applied the release before the next wave begins',
  },
  {
    name: 'min-ended',
    type: 'integer',
    value: 'n',
    min: 0,
    max: 200_000,
    description: 'Number of robots of a wave that must have ended',
  },
  {
    name: 'soak',
    type: 'text',
    value: 'duration',
    description: 'Time for which the percentage must hold, such as 30m',
  },
  {
    name: 'offline-after',
    type: 'text',
    value: 'duration',
    description: 'Time after which an offline robot no longer holds up its wave, such as 1h; "none" for never',
  },
  {
    name: 'then',
    type: 'text',
    value: 'step',
    choices: ['advance', 'pause', 'approval'],
    description: 'What follows a wave',
  },
  {
    name: 'approval',
    type: 'text',
    value: 'n',
    description: 'Number of people, 1 to 10, who must approve a deployment before it begins; "none" for nobody',
  },
  {
    name: 'approval-role',
    type: 'text',
    value: 'role',
    choices: ['viewer', 'operator', 'admin'],
    description: 'Least role of these people; by default operator',
  },
  {
    name: 'approval-expires',
    type: 'text',
    value: 'duration',
    description: 'Time for which a deployment waits for approval, 10m to 30d; by default 1d',
  },
  {
    name: 'supersede',
    type: 'text',
    value: 'step',
    choices: ['replace', 'finish', 'pause'],
    description: 'What happens to older deployments for the same robots',
  },
  {
    name: 'abort',
    type: 'text',
    value: 'rule',
    multiple: true,
    description:
      'Pause, cancel or roll back on failures, such as "any 5% of 10" or "failed 3 within 1h then cancel"; "none" for never',
  },
  {
    name: 'window',
    type: 'text',
    value: 'window',
    multiple: true,
    description:
      'When a robot may be disturbed, as a cron and a duration: "0 22 * * 1-5 for 6h"; "none" for at any time',
  },
  {
    name: 'download-window',
    type: 'text',
    value: 'window',
    multiple: true,
    description: 'When orders are sent and artifacts downloaded, such as "0 1 * * * for 4h"; "none" for at any time',
  },
  {
    name: 'blackout',
    type: 'text',
    value: 'dates',
    multiple: true,
    description: 'Days on which the windows stay closed: 2026-12-24..2026-12-26, or one day; "none" for no days',
  },
  {
    name: 'zone',
    type: 'text',
    value: 'zone',
    description: 'Time zone of the windows, such as Europe/Berlin, or "robot" for the zone of each robot',
  },
  {
    name: 'at-window-end',
    type: 'text',
    value: 'step',
    choices: ['finish', 'cancel'],
    description: 'What happens at the end of a window to an order that is installed and has not taken effect',
  },
  {
    name: 'gate-wait',
    type: 'text',
    value: 'duration',
    description: 'Time after which a robot that waits for its gates is an event of the deployment, such as 30m',
  },
  {
    name: 'require-gates',
    type: 'boolean',
    description: 'Let robots whose agent asks no gates wait, unless a deployment has --allow-ungated',
  },
  {
    name: 'max-in-flight',
    type: 'text',
    value: 'n',
    description: 'Maximum number of robots that work on a deployment at the same time; "none" for any',
  },
  {
    name: 'rate',
    type: 'text',
    value: 'rate',
    description:
      'Maximum number of robots per minute, such as 10/min; "10/min x2 per 100 to 500/min" doubles it for each 100 applied robots; "none" for any',
  },
  {
    name: 'downloads-per-site',
    type: 'text',
    value: 'n',
    description: 'Maximum number of robots of a site that download at the same time; "none" for any',
  },
  {
    name: 'file',
    type: 'text',
    value: 'file',
    takes: 'file',
    description: 'Read the whole rollout from this JSON file; "-" is stdin',
  },
];

/** Of a new rollout; a change leaves the others as they are. */
const defaults = new Map([
  ['applied-percent', '100'],
  ['min-ended', '1'],
  ['soak', '0s'],
  ['offline-after', 'none'],
  ['then', 'advance'],
  ['approval', 'none'],
  ['supersede', 'replace'],
  ['abort', 'none'],
  ['window', 'none'],
  ['download-window', 'none'],
  ['blackout', 'none'],
  ['zone', 'robot'],
  ['at-window-end', 'finish'],
  ['gate-wait', '1h'],
  ['max-in-flight', 'none'],
  ['rate', 'none'],
  ['downloads-per-site', 'none'],
]);

function withDefault(flag: FlagSpec): FlagSpec {
  const whenAbsent = defaults.get(flag.name);
  return whenAbsent === undefined ? flag : { ...flag, whenAbsent };
}

export const policyCommands: readonly CommandSpec[] = [
  {
    path: 'policies list',
    summary: 'List rollout policies',
    prints: 'list',
    flags: pageFlags,
    examples: ['cli policies list', 'cli policies list -o wide', 'cli policies list --json'],
    operations: ['listRolloutPolicies'],
    load: async () => (await import('../commands/policies/policies.ts')).listPolicies,
  },
  {
    path: 'policies show',
    summary: 'Show a rollout policy',
    prints: 'details',
    arguments: [policy],
    examples: ['cli policies show careful', 'cli policies show careful -o yaml'],
    operations: ['getRolloutPolicy', 'listRolloutPolicies'],
    load: async () => (await import('../commands/policies/policies.ts')).showPolicy,
  },
  {
    path: 'policies create',
    summary: 'Create a rollout policy',
    description:
      'A rollout needs at least one wave. Each wave has the robots that match its selector and are in no earlier wave, at most as many as its size. Robots in none of them form the last wave.',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the policy' }],
    flags: rolloutFlags.map(withDefault),
    examples: [
      'cli policies create careful --wave "canaries: tier=canary" --wave 10% --soak 30m --abort "any 5% of 3"',
      'cli policies create fast-at-the-end --wave 10% --max-in-flight 50 --rate "10/min x2 per 100 to 500/min"',
      'cli policies create by-hand --wave 1 --wave 50% --then pause',
      'cli policies create reviewed --wave 10% --approval 2 --approval-role admin --then approval',
      'cli policies create nightly --wave 10% --window "0 22 * * 1-5 for 6h" --zone Europe/Berlin',
      'cli policies create careful --file rollout.json',
    ],
    operations: ['createRolloutPolicy'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/policies/policies.ts')).createPolicy,
  },
  {
    path: 'policies update',
    summary: 'Change a rollout policy',
    description:
      'Flags that you omit change nothing. --wave replaces all waves, --abort all abort rules. Deployments that exist keep their rollout.',
    prints: 'object',
    arguments: [policy],
    flags: [{ name: 'name', type: 'text', value: 'name', description: 'New name' }, ...rolloutFlags],
    examples: [
      'cli policies update careful --soak 1h --offline-after 2h',
      'cli policies update careful --abort none',
      'cli policies update careful --rate none',
    ],
    operations: ['updateRolloutPolicy', 'getRolloutPolicy', 'listRolloutPolicies'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/policies/policies.ts')).updatePolicy,
  },
  {
    path: 'policies delete',
    summary: 'Delete a rollout policy',
    description: 'Deployments that were created with it keep their rollout.',
    prints: 'object',
    arguments: [policy],
    examples: ['cli policies delete careful', 'cli policies delete careful --fields id'],
    operations: ['deleteRolloutPolicy', 'getRolloutPolicy', 'listRolloutPolicies'],
    changes: 'confirmed',
    load: async () => (await import('../commands/policies/policies.ts')).deletePolicy,
  },
];
