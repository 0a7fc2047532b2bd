import type { CommandSpec } from '../command-line/command-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';
import { byFleet, byName, bySite } from './list-flags.ts';
import { fleet } from './sites-and-fleets.ts';

export const robot = { name: 'robot', description: 'ID or name of the robot' };

export const robotCommands: readonly CommandSpec[] = [
  {
    path: 'robots list',
    summary: 'List robots',
    prints: 'list',
    flags: [bySite, byFleet, byName('robots'), ...pageFlags],
    examples: [
      'cli robots list',
      'cli robots list --fleet pickers',
      'cli robots list -o wide',
      'cli robots list | cut -f2',
      'cli robots list --fields id,name -o jsonl',
    ],
    operations: ['listRobots', 'listSites', 'listFleets'],
    load: async () => (await import('../commands/robots/robots.ts')).listRobots,
  },
  {
    path: 'robots show',
    summary: 'Show a robot',
    prints: 'object',
    arguments: [robot],
    examples: ['cli robots show amr-007', 'cli robots show amr-007 -o yaml', 'cli robots show amr-007 --fields labels'],
    operations: ['getRobot', 'listRobots'],
    load: async () => (await import('../commands/robots/robots.ts')).showRobot,
  },
  {
    path: 'robots rename',
    summary: 'Rename a robot',
    prints: 'object',
    arguments: [robot, { name: 'name', description: 'New name' }],
    examples: ['cli robots rename amr-007 amr-008', 'cli robots rename 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61 amr-008'],
    operations: ['updateRobot', 'listRobots'],
    load: async () => (await import('../commands/robots/robots.ts')).renameRobot,
  },
  {
    path: 'robots move',
    summary: 'Move a robot to another fleet and its site',
    prints: 'object',
    arguments: [robot, fleet],
    examples: ['cli robots move amr-007 packers', 'cli robots move amr-007 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c31'],
    operations: ['updateRobot', 'listRobots', 'listFleets', 'listDeployments', 'listConfigDeployments'],
    load: async () => (await import('../commands/robots/robots.ts')).moveRobot,
  },
  {
    path: 'robots label',
    summary: 'Set and remove labels of a robot',
    description: 'Other labels stay. Of two concurrent changes, the later one wins.',
    prints: 'object',
    arguments: [robot, { name: 'label', variadic: true, description: 'name=value sets a label, name- removes it' }],
    examples: [
      'cli robots label amr-007 line=2 shift=night',
      'cli robots label amr-007 shift-',
      'cli robots label amr-007 line=3 --fields labels',
    ],
    operations: ['getRobot', 'updateRobot', 'listRobots'],
    load: async () => (await import('../commands/robots/robots.ts')).labelRobot,
  },
  {
    path: 'robots rotate-token',
    summary: 'Replace the token of a robot',
    description:
      'The agent fetches the new token itself, and its link stays open. The old token is valid until the agent uses the new one, for one day at most. Older agents keep their token.',
    prints: 'object',
    arguments: [robot],
    examples: ['cli robots rotate-token amr-007', 'cli robots rotate-token amr-007 --fields rotation_wanted_at'],
    operations: ['rotateRobotToken', 'listRobots'],
    load: async () => (await import('../commands/tokens.ts')).rotateRobotToken,
  },
  {
    path: 'robots remove',
    summary: 'Remove a robot and revoke its token',
    prints: 'object',
    arguments: [robot],
    examples: ['cli robots remove amr-007', 'cli robots remove 0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61'],
    operations: ['deleteRobot', 'listRobots'],
    load: async () => (await import('../commands/robots/robots.ts')).removeRobot,
  },
];
