import type { Action } from './action.ts';
import { appActions } from './app.ts';
import { changeActions } from './changes.ts';
import { gridActions } from './grid.ts';
import { listActions } from './lists.ts';
import { logActions } from './logs.ts';
import { preferenceActions } from './preferences.ts';
import { releaseActions } from './releases.ts';
import { robotActions } from './robot.ts';
import { tabActions } from './tabs.ts';

export const actions: readonly Action[] = [
  ...listActions,
  ...logActions,
  ...robotActions,
  ...gridActions,
  ...tabActions,
  ...releaseActions,
  ...changeActions,
  ...preferenceActions,
  ...appActions,
];
