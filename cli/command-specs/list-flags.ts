import type { FlagSpec } from '../command-line/flag-spec.ts';
import { forRobotOrFleet } from './deploy-flags.ts';

/** Filters of lists; their page flags are in global-flags.ts. */
export const bySite: FlagSpec = {
  name: 'site',
  type: 'text',
  value: 'id|name',
  description: 'List only those of this site',
};
export const byFleet: FlagSpec = {
  name: 'fleet',
  type: 'text',
  value: 'id|name',
  description: 'List only those of this fleet',
};

export const byName = (what: string): FlagSpec => ({
  name: 'name',
  type: 'text',
  value: 'name',
  description: `List only ${what} of exactly this name`,
});

/** Filter for releases. */
export const byKind: FlagSpec = {
  name: 'kind',
  type: 'text',
  value: 'kind',
  description: 'List only releases of this kind',
};

/** Filters for deployments of releases and of configs. */
export const deploymentFilters: readonly FlagSpec[] = [
  {
    name: 'status',
    type: 'text',
    value: 'status',
    description: 'List only deployments with this status, such as in_progress',
  },
  ...forRobotOrFleet.map((flag) => ({ ...flag, description: `List only deployments to this ${flag.name} itself` })),
  // A robot new to a fleet with many keys gets an order for each.
  {
    name: 'cause',
    type: 'text',
    value: 'enrolled|moved|none',
    description:
      'List only deployments that the service created for a robot that joined a fleet; none: only those that were requested',
  },
];

/** Filters for the robots of a deployment. */
export const targetFilters: readonly FlagSpec[] = [
  { name: 'status', type: 'text', value: 'status', description: 'List only robots with this status, such as failed' },
  { name: 'robot', type: 'text', value: 'id|name', description: 'List only this robot, with its full report' },
];
