import type { CommandSpec } from '../command-line/command-spec.ts';

export const demoCommands: readonly CommandSpec[] = [
  {
    path: 'demo',
    summary: 'Run a demo: a site, fleets, releases, deployments and 22 simulated robots with problems',
    description:
      'Creates what is missing and simulates the robots until Ctrl-C. Repeating it is safe: existing objects are reused. Robots and keys have the label\ndemo=true. The robots are offline afterwards; --remove removes them, revokes the keys and cancels the open deployments of the demo.',
    prints: 'json',
    flags: [
      { name: 'remove', type: 'boolean', description: 'Remove the demo instead' },
      { name: 'yes', type: 'boolean', description: 'Allow a service on another machine' },
    ],
    examples: ['cli demo', 'cli demo --remove', 'cli demo --profile staging --yes'],
    operations: [
      ...([
        'getWhoami',
        'listSites',
        'createSite',
        'listFleets',
        'createFleet',
        'listReleases',
        'createRelease',
      ] as const),
      ...(['listEnrollmentKeys', 'createEnrollmentKey', 'revokeEnrollmentKey', 'enrollAgent'] as const),
      ...(['listRobots', 'updateRobot', 'deleteRobot', 'listUsers', 'createUser', 'deleteUser'] as const),
      ...(['listDeployments', 'createDeployment', 'cancelDeployment'] as const),
      ...([
        'listConfigs',
        'setConfig',
        'listConfigDeployments',
        'createConfigDeployment',
        'cancelConfigDeployment',
      ] as const),
    ],
    load: async () => (await import('../commands/demo/demo.ts')).demo,
  },
];
