import type { FlagSpec } from '../command-line/flag-spec.ts';

/** Target of an order. */
export const forRobotOrFleet: readonly FlagSpec[] = [
  { name: 'robot', type: 'text', value: 'id|name', description: 'For this robot' },
  { name: 'fleet', type: 'text', value: 'id|name', description: 'For the robots that this fleet has when it starts' },
];

const timeout: FlagSpec = {
  name: 'timeout',
  type: 'text',
  value: 'span',
  description: 'End the watching, with 8, after a span as in 90s or 1h30m; the deployment goes on',
  whenAbsent: 'never',
};

export const followFlags: readonly FlagSpec[] = [
  {
    name: 'watch',
    type: 'boolean',
    description: 'Ask every 2 s and print the events until it has ended: 0 if it was applied, else 7',
  },
  timeout,
];

/** Signature of a deployment, which agents verify if configured to. */
export const signatureFlags = (what: string): readonly FlagSpec[] => [
  { name: 'signature', type: 'text', value: 'base64', description: `Signature of ${what}; goes with --key-id` },
  { name: 'key-id', type: 'text', value: 'id', description: 'Key of the signature' },
];

/** Signs the deployment with a key of the person who deploys. */
export const signFlags: readonly FlagSpec[] = [
  {
    name: 'sign',
    type: 'text',
    value: 'file',
    description: 'Sign it with the ed25519 private key of this file (PEM), for robots that take only what is signed',
  },
  {
    name: 'sign-expires-days',
    type: 'integer',
    value: 'n',
    min: 1,
    max: 3_650,
    description: 'The signature is good for so many days, 1 to 3650; robots that come later need it too',
    whenAbsent: '90',
  },
];

/** For an existing deployment. */
export const watchOnlyFlags: readonly FlagSpec[] = [
  {
    name: 'after',
    type: 'integer',
    value: 'seq',
    description: 'Only events after this number',
    whenAbsent: 'all',
  },
  timeout,
];

/** Timing and options of an order. */
export const deployFlags: readonly FlagSpec[] = [
  ...followFlags,
  {
    name: 'scheduled-at',
    type: 'text',
    value: 'rfc3339',
    description: 'Not before this instant',
    whenAbsent: 'at once',
  },
  {
    name: 'idempotency-key',
    type: 'text',
    value: 'uuid',
    description: 'The same key again, within 7 days, orders nothing twice',
    whenAbsent: 'a fresh UUID, which is shown',
  },
  {
    name: 'active-minutes',
    type: 'integer',
    value: 'n',
    min: 1,
    max: 10_080,
    description: 'A robot that stays in one step for longer counts as failed',
    whenAbsent: '30',
  },
  ...signatureFlags('the order, handed to the robots as it is'),
  ...signFlags,
];
