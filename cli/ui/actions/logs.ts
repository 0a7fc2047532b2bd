import {
  clear,
  cycleLevel,
  down,
  halfDown,
  halfUp,
  pageDown,
  pageUp,
  save,
  searchNext,
  searchPrevious,
  toFirst,
  toLast,
  toggleFollow,
  togglePause,
  toggleTime,
  toggleWrap,
  up,
} from '../tail/navigation.ts';
import type { Ui } from '../ui.ts';
import type { Action } from './action.ts';

const ofLogs = (id: string, title: string, keys: readonly string[], move: (ui: Ui) => void, rank?: number): Action => ({
  id: `logs.${id}`,
  title,
  keys,
  scope: 'logs',
  ...(rank !== undefined && { rank }),
  run: ({ ui }) => move(ui),
});

/** Actions of live logs. */
export const logActions: readonly Action[] = [
  ofLogs('pause', 'Pause', ['p', 'space'], togglePause, 10),
  ofLogs('follow', 'Follow', ['f'], toggleFollow, 12),
  ofLogs('level', 'Level', ['L'], cycleLevel, 14),
  ofLogs('search', 'Search', ['/'], (ui) => ui.overlay.set({ kind: 'filter' }), 16),
  ofLogs('next', 'Next match', ['n'], searchNext, 18),
  ofLogs('previous', 'Previous match', ['N'], searchPrevious),
  ofLogs('wrap', 'Wrap', ['w'], toggleWrap, 20),
  ofLogs('time', 'Times', ['z', 't'], toggleTime, 22),
  ofLogs('save', 'Save', ['ctrl-s'], save, 24),
  ofLogs('clear', 'Clear', ['ctrl-x'], clear),
  ofLogs('down', 'Down', ['j', 'down'], down),
  ofLogs('up', 'Up', ['k', 'up'], up),
  ofLogs('first', 'Oldest line', ['g', 'home'], toFirst),
  ofLogs('last', 'Newest line, and follow', ['G', 'end'], toLast),
  ofLogs('pageDown', 'Page down', ['pgdn'], pageDown),
  ofLogs('pageUp', 'Page up', ['pgup'], pageUp),
  ofLogs('halfDown', 'Half a page down', ['ctrl-d'], halfDown),
  ofLogs('halfUp', 'Half a page up', ['ctrl-u'], halfUp),
];
