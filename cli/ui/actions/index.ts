export { actionsFor } from './available-actions.ts';
export { bindingProblems } from './keymap.ts';
export { actions } from './all-actions.ts';
