import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';
import { byName, bySite } from './list-flags.ts';

export const fleet: ArgumentSpec = {
  name: 'fleet',
  takes: 'fleet',
  description: 'ID or name of the fleet, or site/name',
};
const site: ArgumentSpec = { name: 'site', takes: 'site', description: 'ID or name of the site' };

const artifactBaseUrl: FlagSpec = {
  name: 'artifact-base-url',
  type: 'text',
  value: 'url',
  description: 'Address of an HTTP cache from which robots of the site download artifacts first; empty: none',
  mayBeEmpty: true,
};

export const siteAndFleetCommands: readonly CommandSpec[] = [
  {
    path: 'sites list',
    summary: 'List sites',
    prints: 'list',
    flags: [byName('sites'), ...pageFlags],
    examples: ['cli sites list', 'cli sites list -o wide', 'cli sites list --json'],
    operations: ['listSites'],
    load: async () => (await import('../commands/sites.ts')).listSites,
  },
  {
    path: 'sites show',
    summary: 'Show a site',
    prints: 'details',
    arguments: [site],
    examples: ['cli sites show Osaka', 'cli sites show Osaka -o yaml'],
    operations: ['getSite', 'listSites'],
    load: async () => (await import('../commands/sites.ts')).showSite,
  },
  {
    path: 'sites create',
    summary: 'Create a site',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the site' }],
    flags: [artifactBaseUrl],
    examples: [
      'cli sites create Osaka',
      'cli sites create Osaka --artifact-base-url http://cache.osaka.example.com/artifacts',
      'site=$(cli sites create Osaka --fields id)',
      'cli sites create "Plant 2" --json',
    ],
    operations: ['createSite'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/sites.ts')).createSite,
  },
  {
    path: 'sites rename',
    summary: 'Rename a site',
    prints: 'object',
    arguments: [site, { name: 'name', description: 'New name' }],
    examples: ['cli sites rename Osaka "Osaka North"', 'cli sites rename 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21 Osaka'],
    operations: ['updateSite', 'listSites'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/sites.ts')).renameSite,
  },
  {
    path: 'sites update',
    summary: 'Set the artifact cache of a site',
    prints: 'object',
    arguments: [site],
    flags: [{ ...artifactBaseUrl, required: true }],
    examples: [
      'cli sites update Osaka --artifact-base-url http://cache.osaka.example.com/artifacts',
      "cli sites update Osaka --artifact-base-url ''",
    ],
    operations: ['updateSite', 'listSites'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/sites.ts')).updateSite,
  },
  {
    path: 'sites delete',
    summary: 'Delete a site without fleets',
    prints: 'object',
    arguments: [site],
    examples: ['cli sites delete Osaka', 'cli sites delete 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c21'],
    operations: ['deleteSite', 'listSites', 'getHealthSummary'],
    changes: 'confirmed',
    load: async () => (await import('../commands/sites.ts')).deleteSite,
  },
  {
    path: 'fleets list',
    summary: 'List fleets',
    prints: 'list',
    flags: [bySite, byName('fleets'), ...pageFlags],
    examples: ['cli fleets list', 'cli fleets list --site Osaka', 'cli fleets list -o name'],
    operations: ['listFleets', 'listSites'],
    load: async () => (await import('../commands/fleets.ts')).listFleets,
  },
  {
    path: 'fleets show',
    summary: 'Show a fleet',
    prints: 'details',
    arguments: [fleet],
    examples: ['cli fleets show pickers', 'cli fleets show Osaka/pickers -o yaml'],
    operations: ['getFleet', 'listFleets', 'listSites'],
    load: async () => (await import('../commands/fleets.ts')).showFleet,
  },
  {
    path: 'fleets create',
    summary: 'Create a fleet in a site',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the fleet' }],
    flags: [
      { name: 'site', type: 'text', value: 'id|name', takes: 'site', required: true, description: 'Site of the fleet' },
    ],
    examples: [
      'cli fleets create pickers --site Osaka',
      'fleet=$(cli fleets create pickers --site Osaka --fields id)',
      'cli fleets create pickers --site Osaka --json',
    ],
    operations: ['createFleet', 'listSites'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/fleets.ts')).createFleet,
  },
  {
    path: 'fleets rename',
    summary: 'Rename a fleet',
    prints: 'object',
    arguments: [fleet, { name: 'name', description: 'New name' }],
    examples: ['cli fleets rename pickers packers', 'cli fleets rename Osaka/pickers packers'],
    operations: ['updateFleet', 'listFleets', 'listSites'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/fleets.ts')).renameFleet,
  },
  {
    path: 'fleets delete',
    summary: 'Delete an empty fleet',
    description: 'It must have no robots, valid enrollment keys, or scheduled or active deployments.',
    prints: 'object',
    arguments: [fleet],
    examples: ['cli fleets delete pickers', 'cli fleets delete Osaka/pickers'],
    operations: ['deleteFleet', 'listFleets', 'listSites', 'getHealthSummary'],
    changes: 'confirmed',
    load: async () => (await import('../commands/fleets.ts')).deleteFleet,
  },
];
