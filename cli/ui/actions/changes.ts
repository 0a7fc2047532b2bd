import { marksDisabledReason } from '../change-flows/selection.ts';
import { chosenConfig, configDisabledReason, openDeployConfig, openSetConfig } from '../change-flows/configs.ts';
import { deleteConfigCommand, entryDisabledReason, openDeleteConfig } from '../change-flows/config-deletion.ts';
import { openDeployRevision } from '../change-flows/config-revisions.ts';
import { archiveFlow, unarchiveFlow } from '../change-flows/release-archive.ts';
import { openDeploy } from '../change-flows/deploy.ts';
import { openCreateKey, revokeKey } from '../change-flows/keys.ts';
import { openInvite, openRemoveUser, openRole, removeUserCommand, userDisabledReason } from '../change-flows/users.ts';
import { deletePlaceCommand, openDeletePlace, openRenamePlace, placeDisabledReason } from '../change-flows/places.ts';
import { openCreateFleet, openCreateSite } from '../change-flows/sites.ts';
import { pinFlow, unpinFlow } from '../change-flows/pins.ts';
import { oneRobotDisabledReason, openRename } from '../change-flows/robots.ts';
import { openCreateToken, revokeToken } from '../change-flows/tokens.ts';
import type { Action } from './action.ts';
import { changing } from './changing.ts';
import { deploymentActions } from './deployment-actions.ts';

/** Actions that lead to a change: each opens a form or a plan, and changes nothing by itself. */
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
    id: 'releases.archive',
    title: 'Archive the release…',
    keys: ['x'],
    scope: ['releases'],
    rank: 42,
    ...archiveFlow,
  }),
  changing('operator', {
    id: 'releases.unarchive',
    title: 'Make the release available again…',
    keys: ['u'],
    scope: ['releases'],
    rank: 43,
    ...unarchiveFlow,
  }),
  changing('operator', {
    id: 'robots.rename',
    title: 'Rename the robot…',
    keys: ['R'],
    scope: ['robots', 'robot'],
    disabledReason: oneRobotDisabledReason,
    run: openRename,
  }),
  changing('operator', {
    id: 'robots.pin',
    title: 'Pin the robot at a release…',
    keys: ['P'],
    scope: ['robots', 'robot'],
    ...pinFlow,
  }),
  changing('operator', {
    id: 'robots.unpin',
    title: 'End the pin of the robot…',
    keys: ['U'],
    scope: ['robots', 'robot'],
    ...unpinFlow,
  }),
  ...deploymentActions,
  changing('operator', {
    id: 'configs.deploy',
    title: 'Deploy the entry…',
    keys: ['d'],
    scope: ['configs'],
    rank: 40,
    disabledReason: marksDisabledReason,
    run: openDeployConfig,
  }),
  changing('operator', {
    id: 'configs.deployRevision',
    title: 'Deploy an older revision…',
    keys: ['D'],
    scope: ['configs'],
    rank: 43,
    disabledReason: entryDisabledReason,
    run: openDeployRevision,
  }),
  changing('operator', {
    id: 'configs.delete',
    title: 'Delete the entry…',
    keys: ['x'],
    scope: ['configs'],
    rank: 44,
    disabledReason: entryDisabledReason,
    run: openDeleteConfig,
    line: deleteConfigCommand,
  }),
  changing('operator', {
    id: 'configs.set',
    title: 'Set an entry…',
    keys: ['n'],
    scope: ['configs'],
    rank: 41,
    run: (context) => openSetConfig(context),
  }),
  changing('operator', {
    id: 'configs.change',
    title: 'Change the value…',
    keys: ['e'],
    scope: ['configs'],
    rank: 42,
    disabledReason: configDisabledReason,
    run: (context) => openSetConfig(context, chosenConfig(context)),
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
    id: 'places.rename',
    title: 'Rename the site or fleet…',
    keys: ['R'],
    scope: ['places'],
    rank: 43,
    disabledReason: placeDisabledReason,
    run: openRenamePlace,
  }),
  changing('operator', {
    id: 'places.delete',
    title: 'Delete the site or fleet…',
    keys: ['x'],
    scope: ['places'],
    rank: 44,
    disabledReason: placeDisabledReason,
    run: openDeletePlace,
    line: deletePlaceCommand,
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
    disabledReason: userDisabledReason,
    run: openRole,
  }),
  changing('admin', {
    id: 'users.remove',
    title: 'Remove the user…',
    keys: ['x'],
    scope: ['people'],
    rank: 44,
    disabledReason: userDisabledReason,
    run: openRemoveUser,
    line: removeUserCommand,
  }),
  changing('admin', {
    id: 'tokens.create',
    title: 'New token for the user…',
    keys: ['N'],
    scope: ['people'],
    rank: 43,
    disabledReason: userDisabledReason,
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
