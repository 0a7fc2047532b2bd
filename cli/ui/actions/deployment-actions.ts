import { cancelFlow } from '../change-flows/cancel.ts';
import { approveFlow, rejectFlow } from '../change-flows/approval.ts';
import { retryFlow } from '../change-flows/retry.ts';
import { advanceFlow, pauseFlow, resumeFlow, skipFlow } from '../change-flows/deployment-controls.ts';
import { freezeFlow, thawFlow } from '../change-flows/freeze.ts';
import { rollbackFlow } from '../change-flows/rollback.ts';
import { wavesFlow } from '../change-flows/waves.ts';
import type { Action } from './action.ts';
import { changing } from './changing.ts';

/** Actions that change deployments: the one of the screen or under the cursor, or all of them. */
export const deploymentActions: readonly Action[] = [
  changing('operator', {
    id: 'deployments.cancel',
    title: 'Cancel the deployment…',
    keys: ['x'],
    scope: ['deployments', 'deployment'],
    rank: 45,
    ...cancelFlow,
  }),
  changing('operator', {
    id: 'deployments.pause',
    title: 'Pause the deployment…',
    keys: ['p'],
    scope: ['deployments', 'deployment'],
    rank: 46,
    ...pauseFlow,
  }),
  changing('operator', {
    id: 'deployments.resume',
    title: 'Continue the paused deployment…',
    keys: ['P'],
    scope: ['deployments', 'deployment'],
    rank: 47,
    ...resumeFlow,
  }),
  changing('operator', {
    id: 'deployments.advance',
    title: 'Begin the next wave…',
    keys: ['A'],
    scope: ['deployments', 'deployment'],
    rank: 48,
    ...advanceFlow,
  }),
  changing('operator', {
    id: 'deployments.skip',
    title: 'Skip the wave…',
    keys: ['S'],
    scope: ['deployments', 'deployment'],
    rank: 50,
    ...skipFlow,
  }),
  changing('viewer', {
    id: 'deployments.approve',
    title: 'Approve it or its next wave…',
    keys: ['v'],
    scope: ['deployments', 'deployment'],
    rank: 51,
    ...approveFlow,
  }),
  changing('viewer', {
    id: 'deployments.reject',
    title: 'Reject it or its next wave…',
    keys: ['V'],
    scope: ['deployments', 'deployment'],
    rank: 52,
    ...rejectFlow,
  }),
  changing('operator', {
    id: 'deployments.rollback',
    title: 'Return its robots to what they ran before…',
    keys: ['B'],
    scope: ['deployments', 'deployment'],
    rank: 49,
    ...rollbackFlow,
  }),
  changing('operator', {
    id: 'deployments.retry',
    title: 'Retry the robots on which it failed…',
    keys: ['R'],
    scope: ['deployments', 'deployment'],
    rank: 53,
    ...retryFlow,
  }),
  changing('operator', {
    id: 'deployments.waves',
    title: 'Change the waves that have not begun…',
    keys: ['e'],
    scope: ['deployments', 'deployment'],
    rank: 54,
    ...wavesFlow,
  }),
  changing('operator', {
    id: 'deployments.freeze',
    title: 'Freeze all deployments…',
    keys: ['f'],
    scope: ['overview', 'deployments', 'deployment'],
    rank: 55,
    ...freezeFlow,
  }),
  changing('operator', {
    id: 'deployments.thaw',
    title: 'Thaw all deployments…',
    keys: ['u'],
    scope: ['overview', 'deployments', 'deployment'],
    rank: 56,
    ...thawFlow,
  }),
];
