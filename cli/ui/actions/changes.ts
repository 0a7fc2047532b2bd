import { cancelHindrance, cancelLine, openCancel } from '../change-flows/cancel.ts';
import { marksHindrance } from '../change-flows/selection.ts';
import { chosenConfig, configHindrance, openDeployConfig, openSetConfig } from '../change-flows/configs.ts';
import { openDeploy } from '../change-flows/deploy.ts';
import { openCreateKey, revokeKey } from '../change-flows/keys.ts';
import { openInvite, openRemoveUser, openRole, removeUserLine, userHindrance } from '../change-flows/users.ts';
import { openCreateFleet, openCreateSite } from '../change-flows/sites.ts';
import { oneRobotHindrance, openRename } from '../change-flows/robots.ts';
import { isAway, lacks } from '../change-flows/permissions.ts';
import { openCreateToken, revokeToken } from '../change-flows/tokens.ts';
import type { Role } from '../data/mutations.ts';
import type { Action } from './action.ts';

type Change = Omit<Action, 'changes' | 'hindrance'> & Pick<Action, 'hindrance'>;

/** One that leads to a change, and takes a role. */
const changing = (role: Role, action: Change): Action => ({
  ...action,
  changes: true,
  hindrance: (moment) => lacks(moment, role) ?? isAway(moment) ?? action.hindrance?.(moment),
});

/** What leads to a change: each of these opens a form or a plan, and changes nothing by itself. */
export const changeActions: readonly Action[] = [
  changing('operator', {
    id: 'releases.deploy',
    title: 'Deploy a release…',
    keys: ['d'],
    scope: 'everywhere',
    rank: 40,
    run: openDeploy,
  }),
  changing('operator', {
    id: 'robots.rename',
    title: 'Rename the robot…',
    keys: ['R'],
    scope: ['robots', 'robot'],
    hindrance: oneRobotHindrance,
    run: openRename,
  }),
  changing('operator', {
    id: 'deployments.cancel',
    title: 'Cancel the deployment…',
    keys: ['x'],
    scope: ['deployments', 'deployment'],
    rank: 45,
    hindrance: cancelHindrance,
    run: openCancel,
    line: cancelLine,
  }),
  changing('operator', {
    id: 'configs.deploy',
    title: 'Deploy the entry…',
    keys: ['d'],
    scope: ['configs'],
    rank: 40,
    hindrance: marksHindrance,
    run: openDeployConfig,
  }),
  changing('operator', {
    id: 'configs.set',
    title: 'Set an entry…',
    keys: ['n'],
    scope: ['configs'],
    rank: 41,
    run: (moment) => openSetConfig(moment),
  }),
  changing('operator', {
    id: 'configs.change',
    title: 'Change the value…',
    keys: ['e'],
    scope: ['configs'],
    rank: 42,
    hindrance: configHindrance,
    run: (moment) => openSetConfig(moment, chosenConfig(moment)),
  }),
  changing('operator', {
    id: 'fleets.create',
    title: 'Create a fleet…',
    keys: ['n'],
    scope: ['places'],
    rank: 41,
    run: openCreateFleet,
  }),
  changing('operator', {
    id: 'sites.create',
    title: 'Create a site…',
    keys: ['N'],
    scope: ['places'],
    rank: 42,
    run: openCreateSite,
  }),
  changing('operator', {
    id: 'keys.create',
    title: 'New enrollment key…',
    keys: ['n'],
    scope: ['keys'],
    rank: 41,
    run: openCreateKey,
  }),
  changing('operator', {
    id: 'keys.revoke',
    title: 'Revoke the key…',
    keys: ['x'],
    scope: ['keys'],
    rank: 42,
    ...revokeKey,
  }),
  changing('admin', {
    id: 'users.create',
    title: 'Add a user…',
    keys: ['n'],
    scope: ['people'],
    rank: 41,
    run: openInvite,
  }),
  changing('admin', {
    id: 'users.role',
    title: 'Change the role…',
    keys: ['e'],
    scope: ['people'],
    rank: 42,
    hindrance: userHindrance,
    run: openRole,
  }),
  changing('admin', {
    id: 'users.remove',
    title: 'Remove the user…',
    keys: ['x'],
    scope: ['people'],
    rank: 44,
    hindrance: userHindrance,
    run: openRemoveUser,
    line: removeUserLine,
  }),
  changing('admin', {
    id: 'tokens.create',
    title: 'New token for the user…',
    keys: ['N'],
    scope: ['people'],
    rank: 43,
    hindrance: userHindrance,
    run: openCreateToken,
  }),
  changing('admin', {
    id: 'tokens.revoke',
    title: 'Revoke the token…',
    keys: ['X'],
    scope: ['people'],
    rank: 45,
    ...revokeToken,
  }),
];
