import type { CommandSpec } from './command-spec.ts';

/** The program that the user runs, as typed. */
export const programOf = ({ program }: Pick<CommandSpec, 'program'>) => program ?? 'cli';

/** The words before `run` and `forget` in a hint: `cli agent`, or the name of the standalone agent. */
export const agentOf = ({ program }: Pick<CommandSpec, 'program'>) => program ?? 'cli agent';
