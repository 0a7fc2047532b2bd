export { actionsFor } from './at-hand.ts';
export { bindingProblems } from './bindings.ts';
export { actions } from './table.ts';
