import type { CommandSpec } from '../command-line/command-spec.ts';
import { controlReason } from './deploy-flags.ts';

/** The commands that hold and release all deployments of the org. */
export const freezeCommands: readonly CommandSpec[] = [
  {
    path: 'deployments freeze',
    summary: 'Hold all deployments of the org, of releases and configs',
    description:
      'No further robot gets an order until the thaw, also of deployments that are created meanwhile. Robots that have an order finish it. Rollbacks continue.',
    prints: 'object',
    flags: [{ ...controlReason, required: true }],
    examples: ['cli deployments freeze --reason "robots stop in aisle 4"'],
    operations: ['setDeploymentFreeze', 'getDeploymentFreeze'],
    changes: 'confirmed',
    load: async () => (await import('../commands/deployments/deployment-freeze.ts')).freezeDeployments,
  },
  {
    path: 'deployments thaw',
    summary: 'Release the deployments that a freeze holds',
    description:
      'Each continues as it was, and its robots get the time back. Deployments that were paused before the freeze stay paused.',
    prints: 'object',
    flags: [controlReason],
    examples: ['cli deployments thaw', 'cli deployments thaw --reason "the map is repaired"'],
    operations: ['deleteDeploymentFreeze', 'getDeploymentFreeze'],
    changes: 'confirmed',
    load: async () => (await import('../commands/deployments/deployment-freeze.ts')).thawDeployments,
  },
];
