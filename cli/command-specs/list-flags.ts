import { deploymentMoves, targetMoves } from '../../generated/protocol.js';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { targetFlags } from './deploy-flags.ts';

/** Filters of lists; their page flags are in global-flags.ts. */
export const bySite: FlagSpec = {
  name: 'site',
  type: 'text',
  value: 'id|name',
  takes: 'site',
  description: 'List only those of this site',
};
export const byFleet: FlagSpec = {
  name: 'fleet',
  type: 'text',
  value: 'id|name',
  takes: 'fleet',
  description: 'List only those of this fleet',
};

export const byName = (what: 'robots' | 'sites' | 'fleets'): FlagSpec => ({
  name: 'name',
  type: 'text',
  value: 'name',
  takes: ({ robots: 'robot', sites: 'site', fleets: 'fleet' } as const)[what],
  description: `List only ${what} of this name, in any letter case`,
});

/** Filter for releases. */
export const byKind: FlagSpec = {
  name: 'kind',
  type: 'text',
  value: 'kind',
  takes: 'release kind',
  description: 'List only releases of this kind',
};

/** Filters for deployments of releases and of configs. */
export const deploymentFilters: readonly FlagSpec[] = [
  {
    name: 'status',
    type: 'text',
    value: 'status',
    choices: Object.keys(deploymentMoves),
    description: 'List only deployments with this status',
  },
  {
    name: 'order',
    type: 'text',
    value: 'order',
    choices: ['asc', 'desc'],
    description: 'List the oldest (asc) or the newest (desc) first',
    whenAbsent: 'desc on a terminal, asc elsewhere',
  },
  ...targetFlags.map((flag) => ({ ...flag, description: `List only deployments to this ${flag.name} itself` })),
  {
    name: 'rollback-of',
    type: 'text',
    value: 'id',
    takes: 'deployment',
    description: 'List only the deployments that roll back this one',
  },
  {
    name: 'retry-of',
    type: 'text',
    value: 'id',
    takes: 'deployment',
    description: 'List only the deployments that retry this one',
  },
  {
    name: 'waiting-on',
    type: 'text',
    value: 'code',
    choices: ['approval'],
    description: 'List only deployments that wait for this',
  },
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
  {
    name: 'status',
    type: 'text',
    value: 'status',
    choices: Object.keys(targetMoves),
    description: 'List only robots with this status',
  },
  {
    name: 'robot',
    type: 'text',
    value: 'id|name',
    takes: 'robot',
    description: 'List only this robot, with its full report',
  },
];
