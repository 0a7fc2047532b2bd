export { actionsFor } from './available-actions.ts';
export { bindingProblems } from './bindings.ts';
export { actions } from './table.ts';
