export { actionsFor } from './available-actions.ts';
export { keymapProblems } from './keymap.ts';
export { actions } from './all-actions.ts';
