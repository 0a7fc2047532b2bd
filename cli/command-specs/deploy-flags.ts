import type { FlagSpec } from '../command-line/flag-spec.ts';

/** Target of an order, also of lists. */
export const targetFlags: readonly FlagSpec[] = [
  { name: 'robot', type: 'text', value: 'id|name', takes: 'robot', description: 'Deploy to this robot' },
  {
    name: 'fleet',
    type: 'text',
    value: 'id|name',
    takes: 'fleet',
    description: 'Deploy to the robots of this fleet, also to those that join it later',
  },
  {
    name: 'selector',
    type: 'text',
    value: 'selector',
    description: 'Deploy to the robots that match this selector at the start, such as tier=canary,@site=Osaka',
  },
];

const timeout: FlagSpec = {
  name: 'timeout',
  type: 'text',
  value: 'span',
  description: 'Stop watching after this time, such as 90s or 1h30m, and exit with 8; the deployment continues',
  whenAbsent: 'never',
};

const verbose: FlagSpec = {
  name: 'verbose',
  type: 'boolean',
  description: 'Print each event of each robot; without it a terminal shows several robots as one line',
};

export const followFlags: readonly FlagSpec[] = [
  {
    name: 'watch',
    type: 'boolean',
    description: 'Poll every 2 s and print events until the deployment ends; exit with 0 if it was applied, else 7',
  },
  timeout,
  verbose,
];

/** Signature of a deployment, which agents verify if configured to. */
export const signatureFlags = (what: string): readonly FlagSpec[] => [
  { name: 'signature', type: 'text', value: 'base64', description: `Signature of ${what}; requires --key-id` },
  { name: 'key-id', type: 'text', value: 'id', description: 'ID of the key that made the signature' },
];

/** Signs the deployment with a key of the person who deploys. */
const signFlags: readonly FlagSpec[] = [
  {
    name: 'sign',
    type: 'text',
    value: 'file',
    takes: 'file',
    description:
      'Sign the deployment with the ed25519 private key in this file (PEM), for robots that require signatures',
  },
  {
    name: 'sign-expires-days',
    type: 'integer',
    value: 'n',
    min: 1,
    max: 3_650,
    description: 'Days until the signature expires, 1 to 3650; robots that join later need a valid one too',
    whenAbsent: '90',
  },
];

/** The same where no signature can be passed. */
export const signKeyFlags: readonly FlagSpec[] = [
  ...signFlags,
  { name: 'key-id', type: 'text', value: 'id', description: 'ID of the --sign key', whenAbsent: 'its SHA-256' },
];

export const policyFlag: FlagSpec = {
  name: 'policy',
  type: 'text',
  value: 'id|name',
  takes: 'rollout policy',
  description: 'Deploy in the waves of this rollout policy; requires --fleet or --selector',
  whenAbsent: 'all robots at once',
};

export const urgentFlag: FlagSpec = {
  name: 'urgent',
  type: 'boolean',
  description: 'Ignore the pace of the rollout policy; waves, abort rules and disruption budgets apply',
};

const ignoreWindowsFlag: FlagSpec = {
  name: 'ignore-windows',
  type: 'boolean',
  description: 'Ignore the windows and blackouts of the policy, and of older orders that robots hold; the rest applies',
};

/** In place of what the plan has. */
export const planFlag: FlagSpec = {
  name: 'plan',
  type: 'text',
  value: 'id',
  description:
    'Deploy exactly this plan of --dry-run, in place of the argument and the target; refused if its robots changed',
};

/** For an existing deployment. */
export const controlReason: FlagSpec = {
  name: 'reason',
  type: 'text',
  value: 'text',
  description: 'Why, for colleagues: its events show it',
};

export const watchOnlyFlags: readonly FlagSpec[] = [
  {
    name: 'after',
    type: 'integer',
    value: 'seq',
    description: 'Print only events after this number',
    whenAbsent: 'all',
  },
  timeout,
  verbose,
];

/** Timing and options of an order. */
export const deployFlags: readonly FlagSpec[] = [
  ...followFlags,
  policyFlag,
  urgentFlag,
  ignoreWindowsFlag,
  {
    name: 'scheduled-at',
    type: 'text',
    value: 'time',
    description: 'Start then, not before: in 30m, 22:00, tomorrow 06:00 or RFC 3339',
    whenAbsent: 'immediately',
  },
  {
    name: 'dynamic-until',
    type: 'text',
    value: 'time|span',
    description: 'Deploy also to robots that match the selector later, until then: 30d, tomorrow 06:00 or RFC 3339',
    whenAbsent: 'only those that match at the start',
  },
  {
    name: 'idempotency-key',
    type: 'text',
    value: 'uuid',
    description: 'Prevent a second deployment: the same key within 7 days returns the first one',
    whenAbsent: 'a new UUID, which is printed',
  },
  {
    name: 'active-minutes',
    type: 'integer',
    value: 'n',
    min: 1,
    max: 10_080,
    description: 'Count a robot as failed if it stays in one step for longer',
    whenAbsent: '30',
  },
  {
    name: 'ignore-gates',
    type: 'boolean',
    description: 'Let robots not ask their gates, such as the charge of the battery; for emergencies',
  },
  {
    name: 'allow-ungated',
    type: 'boolean',
    description: 'Deploy also to robots whose agent is too old for the windows or gates of the policy',
  },
  ...signatureFlags('the order, sent to the robots unchanged'),
  ...signFlags,
];
