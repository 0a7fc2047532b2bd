import type { FlagSpec } from '../command-line/flag-spec.ts';
import { forRobotOrFleet } from './deploy-flags.ts';

/** Filters of lists; their page flags are in global-flags.ts. */
export const bySite: FlagSpec = {
  name: 'site',
  type: 'text',
  value: 'id|name',
  description: 'Only those of this site',
};
export const byFleet: FlagSpec = {
  name: 'fleet',
  type: 'text',
  value: 'id|name',
  description: 'Only those of this fleet',
};

export const byName = (what: string): FlagSpec => ({
  name: 'name',
  type: 'text',
  value: 'name',
  description: `Only ${what} of exactly this name`,
});

/** Filter for releases. */
export const byKind: FlagSpec = {
  name: 'kind',
  type: 'text',
  value: 'kind',
  description: 'Only releases of this kind',
};

/** Filters for deployments of releases and of configs. */
export const deploymentFilters: readonly FlagSpec[] = [
  { name: 'status', type: 'text', value: 'status', description: 'Only those of this status, as in in_progress' },
  ...forRobotOrFleet.map((flag) => ({ ...flag, description: `Only those for this ${flag.name} itself` })),
  // A robot new to a fleet with many keys gets an order for each.
  {
    name: 'cause',
    type: 'text',
    value: 'enrolled|moved|none',
    description:
      'Only those that the service made for a robot that came to a fleet; none: only those that somebody ordered',
  },
];

/** Filters for the robots of a deployment. */
export const targetFilters: readonly FlagSpec[] = [
  { name: 'status', type: 'text', value: 'status', description: 'Only robots in this status, as in failed' },
  { name: 'robot', type: 'text', value: 'id|name', description: 'Only this robot, with all that it said' },
];
