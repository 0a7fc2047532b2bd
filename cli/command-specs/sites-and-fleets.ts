import type { CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';
import { byName, bySite } from './list-flags.ts';

export const fleet = { name: 'fleet', description: 'ID or name of the fleet' };

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
    path: 'sites create',
    summary: 'Create a site',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the site' }],
    examples: [
      'cli sites create Osaka',
      'site=$(cli sites create Osaka --fields id)',
      'cli sites create "Plant 2" --json',
    ],
    operations: ['createSite'],
    load: async () => (await import('../commands/sites.ts')).createSite,
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
    path: 'fleets create',
    summary: 'Create a fleet in a site',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the fleet' }],
    flags: [{ name: 'site', type: 'text', value: 'id|name', required: true, description: 'Site of the fleet' }],
    examples: [
      'cli fleets create pickers --site Osaka',
      'fleet=$(cli fleets create pickers --site Osaka --fields id)',
      'cli fleets create pickers --site Osaka --json',
    ],
    operations: ['createFleet', 'listSites'],
    load: async () => (await import('../commands/fleets.ts')).createFleet,
  },
];
