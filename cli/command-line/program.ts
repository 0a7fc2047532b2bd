import type { CommandSpec } from './command-spec.ts';

/** The program that the user runs, as it is typed. */
export const programOf = ({ program }: Pick<CommandSpec, 'program'>) => program ?? 'cli';

/** What stands before `run` and `forget` in a line for this machine: `cli agent`, or the agent itself where it was installed alone. */
export const agentOf = ({ program }: Pick<CommandSpec, 'program'>) => program ?? 'cli agent';
