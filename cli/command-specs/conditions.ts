import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const rule: ArgumentSpec = { name: 'rule', takes: 'condition rule', description: 'ID or name of the rule' };
const expression = {
  name: 'expression',
  description: 'Comparisons, such as "battery < 20 and not charging for 5m"; quote it',
};

/** One of them selects the robots of a rule; none: all robots. */
const scopeFlags: readonly FlagSpec[] = [
  { name: 'site', type: 'text', value: 'id|name', takes: 'site', description: 'Only robots of this site' },
  { name: 'fleet', type: 'text', value: 'id|name', takes: 'fleet', description: 'Only robots of this fleet' },
  {
    name: 'label',
    short: 'l',
    type: 'text',
    value: 'name=value',
    description: 'Only robots with these labels, separated by commas',
  },
];

const clear: FlagSpec = {
  name: 'clear',
  type: 'text',
  value: 'expression',
  mayBeEmpty: true,
  description: 'Ends the condition; "" for: as soon as the expression is no longer true',
};
const severity: FlagSpec = {
  name: 'severity',
  type: 'text',
  value: 'severity',
  choices: ['degraded', 'unhealthy'],
  description: 'What the condition makes of the robot',
};

export const conditionCommands: readonly CommandSpec[] = [
  {
    path: 'health',
    summary: 'Show the health of all fleets',
    prints: 'list',
    examples: ['cli health', 'cli health --watch', 'cli health --fields fleet,unhealthy'],
    flags: pageFlags.filter(({ name }) => name === 'watch'),
    operations: ['getHealthSummary'],
    load: async () => (await import('../commands/health.ts')).showHealth,
  },
  {
    path: 'health-history',
    summary: 'List how many robots were healthy over the last 24 hours',
    description: 'One line for each five minutes, the oldest first. Times at which nothing was counted are missing.',
    prints: 'list',
    examples: ['cli health-history', 'cli health-history --fields at,unhealthy | tail -12'],
    operations: ['getHealthHistory'],
    load: async () => (await import('../commands/health-history.ts')).listHealthHistory,
  },
  {
    path: 'conditions list',
    summary: 'List condition rules',
    prints: 'list',
    flags: pageFlags,
    examples: ['cli conditions list', 'cli conditions list -o wide', 'cli conditions list --json'],
    operations: ['listConditionRules', 'listSites', 'listFleets'],
    load: async () => (await import('../commands/conditions.ts')).listConditions,
  },
  {
    path: 'conditions show',
    summary: 'Show a condition rule',
    prints: 'details',
    arguments: [rule],
    examples: ['cli conditions show battery-low', 'cli conditions show battery-low -o yaml'],
    operations: ['getConditionRule', 'listConditionRules', 'listSites', 'listFleets'],
    load: async () => (await import('../commands/conditions.ts')).showCondition,
  },
  {
    path: 'conditions create',
    summary: 'Create a condition rule',
    description:
      'The condition begins when the expression has been true for the time after "for". Try the expression with: cli conditions preview',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the rule and of its condition' }, expression],
    flags: [{ ...severity, whenAbsent: 'degraded' }, clear, ...scopeFlags],
    examples: [
      'cli conditions create canary-hot "temperature > 70 for 5m" --label tier=canary',
      'cli conditions create disk-90 "disk > 90" --clear "disk < 85" --severity unhealthy',
      'cli conditions create old-agent "agent_version < 0.2.0" --fleet pickers',
    ],
    operations: ['createConditionRule', 'listConditionMatches', 'listSites', 'listFleets'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/conditions.ts')).createCondition,
  },
  {
    path: 'conditions update',
    summary: 'Change a condition rule',
    description: 'Flags that you omit change nothing.',
    prints: 'object',
    arguments: [rule],
    flags: [
      { name: 'name', type: 'text', value: 'name', description: 'New name' },
      {
        name: 'expression',
        type: 'text',
        value: 'expression',
        description: 'New expression, such as "disk > 95 for 5m"',
      },
      clear,
      severity,
      ...scopeFlags,
      { name: 'all-robots', type: 'boolean', description: 'Evaluate it for all robots of the org' },
      { name: 'enable', type: 'boolean', description: 'Evaluate it again' },
      { name: 'disable', type: 'boolean', description: 'End its conditions, and keep the rule' },
    ],
    examples: [
      'cli conditions update battery-low --expression "battery < 25 and not charging for 5m" --clear "battery > 30"',
      'cli conditions update clock-wrong --disable',
      'cli conditions update battery-low --clear ""',
    ],
    operations: ['updateConditionRule', 'listConditionRules', 'listSites', 'listFleets'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/conditions.ts')).updateCondition,
  },
  {
    path: 'conditions delete',
    summary: 'Delete a condition rule and end its conditions',
    prints: 'object',
    arguments: [rule],
    examples: ['cli conditions delete clock-wrong', 'cli conditions delete clock-wrong --fields id'],
    operations: ['deleteConditionRule', 'listConditionRules', 'getConditionRule', 'getHealthSummary'],
    changes: 'confirmed',
    load: async () => (await import('../commands/conditions.ts')).deleteCondition,
  },
  {
    path: 'conditions preview',
    summary: 'List the robots that an expression or rule matches now',
    prints: 'list',
    arguments: [
      { name: 'expression', takes: 'condition rule', description: 'Expression, or the ID or name of a rule' },
    ],
    flags: scopeFlags,
    examples: [
      'cli conditions preview "battery < 30 and not charging"',
      'cli conditions preview battery-low',
      'cli conditions preview "disk > 90" --fleet pickers -o name',
    ],
    operations: ['listConditionMatches', 'listConditionRules', 'listSites', 'listFleets'],
    load: async () => (await import('../commands/conditions.ts')).previewCondition,
  },
  {
    path: 'maintenance start',
    summary: 'Silence the conditions of a robot, fleet or site for some hours',
    prints: 'object',
    flags: [
      { name: 'robot', type: 'text', value: 'id|name', takes: 'robot', description: 'Robot in maintenance' },
      { name: 'fleet', type: 'text', value: 'id|name', takes: 'fleet', description: 'Fleet in maintenance' },
      { name: 'site', type: 'text', value: 'id|name', takes: 'site', description: 'Site in maintenance' },
      {
        name: 'hours',
        type: 'text',
        value: 'hours',
        whenAbsent: '1',
        description: 'How long, such as 0.5; at most 2160',
      },
      { name: 'reason', type: 'text', value: 'text', required: true, description: 'Why, for colleagues' },
    ],
    examples: [
      'cli maintenance start --robot amr-007 --reason "new battery"',
      'cli maintenance start --fleet pickers --hours 8 --reason "floor work"',
    ],
    operations: ['createMaintenanceWindow', 'listRobots', 'listFleets', 'listSites', 'getHealthSummary'],
    changes: 'confirmed',
    load: async () => (await import('../commands/maintenance.ts')).startMaintenance,
  },
  {
    path: 'maintenance list',
    summary: 'List maintenance windows',
    prints: 'list',
    flags: [{ name: 'all', type: 'boolean', description: 'List also windows that have ended' }, ...pageFlags],
    examples: ['cli maintenance list', 'cli maintenance list --all', 'cli maintenance list --json'],
    operations: ['listMaintenanceWindows', 'listRobots', 'listFleets', 'listSites'],
    load: async () => (await import('../commands/maintenance.ts')).listMaintenance,
  },
  {
    path: 'maintenance end',
    summary: 'End a maintenance window now',
    prints: 'object',
    arguments: [{ name: 'id', takes: 'maintenance window', description: 'ID of the window' }],
    examples: ['cli maintenance end 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9d21'],
    operations: ['endMaintenanceWindow', 'listMaintenanceWindows'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/maintenance.ts')).endMaintenance,
  },
];
