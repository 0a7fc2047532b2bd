import { join, resolve as resolvePath } from 'node:path';
import type { Environment } from '../../command-line/config.ts';
import { globalFlags } from '../../command-line/global-flags.ts';

/** A line that runs the agent of this machine. */
interface AgentLine {
  /** The same line for an agent alone: `run` and its flags. */
  args: string[];
  stateDirectory: string;
}

/** Where the agent keeps its state unless a flag names another folder. */
export const defaultStateDirectory = ({ stateDirectory }: Pick<Environment, 'stateDirectory'>) =>
  join(stateDirectory, 'agent');

/**
 * Reads the line as `words` begin it, without the tables of the client, which a supervisor does not need. Undefined for any other line, for
 * one that asks for help, and for one that would be refused: those are for the parser.
 */
export function agentLineOf(
  argv: readonly string[],
  words: readonly string[],
  environment: Pick<Environment, 'stateDirectory'>,
): AgentLine | undefined {
  const before: string[] = [];
  const missing = [...words];
  let index = 0;
  for (; index < argv.length && missing.length > 0; index += 1) {
    const token = argv[index] ?? '';
    if (token === missing[0]) missing.shift();
    else if (token.startsWith('-')) {
      before.push(token);
      if (takesValue(token)) before.push(argv[(index += 1)] ?? '');
    } else return undefined;
  }
  const flags = [...before, ...argv.slice(index)];
  if (missing.length > 0 || flags.some((flag) => flag === '--help' || flag === '-h' || flag === '--')) return undefined;
  const given = valueOf('--state-dir', flags);
  return {
    args: ['run', ...flags],
    stateDirectory: resolvePath(given ?? defaultStateDirectory(environment)),
  };
}

const takesValue = (token: string) => globalFlags.some(({ name, type }) => token === `--${name}` && type !== 'boolean');

/** The parser refuses a flag that is given twice. */
function valueOf(flag: string, flags: readonly string[]): string | undefined {
  const index = flags.findLastIndex((token) => token === flag || token.startsWith(`${flag}=`));
  const token = flags[index];
  const value = token === flag ? flags[index + 1] : token?.slice(flag.length + 1);
  return value === '' ? undefined : value;
}
