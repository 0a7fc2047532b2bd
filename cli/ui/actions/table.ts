import type { Action } from './action.ts';
import { appActions } from './app.ts';
import { changeActions } from './changes.ts';
import { listActions } from './lists.ts';
import { liveActions } from './live.ts';

/** All that can be done. */
export const actions: readonly Action[] = [...listActions, ...liveActions, ...changeActions, ...appActions];
