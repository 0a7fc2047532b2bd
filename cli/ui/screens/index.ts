import { activityScreen } from './activity.tsx';
import { configsScreen } from './configs.tsx';
import { deploymentScreen } from './deployment.tsx';
import { deploymentsScreen } from './deployments.tsx';
import { keysScreen } from './keys.tsx';
import { logsScreen } from './logs.tsx';
import { overviewScreen } from './overview.tsx';
import { usersScreen } from './users.tsx';
import { sitesScreen } from './sites.tsx';
import { releasesScreen } from './releases.tsx';
import { robotScreen } from './robot.tsx';
import { robotsScreen } from './robots-screen.tsx';
import type { Screen } from './screen.ts';
import type { ScreenId } from '../views.ts';

/** All screens, in the order of their digits. */
export const screens: readonly Screen[] = [
  overviewScreen,
  robotsScreen,
  robotScreen,
  deploymentsScreen,
  deploymentScreen,
  releasesScreen,
  configsScreen,
  sitesScreen,
  keysScreen,
  logsScreen,
  activityScreen,
  usersScreen,
];

export function screenOf(id: ScreenId): Screen {
  const screen = screens.find((each) => each.id === id);
  if (!screen) throw new Error(`no screen ${id}`);
  return screen;
}

/** The screens with a tab, in the order of the tabs. */
export const tabbedScreens = screens.flatMap(({ id, tab }) => (tab ? [{ id, ...tab }] : []));
