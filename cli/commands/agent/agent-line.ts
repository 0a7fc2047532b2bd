import { join, resolve as resolvePath } from 'node:path';
import type { Environment } from '../../command-line/config.ts';
import { hasSeparateValue } from '../../command-line/global-flags.ts';

/** A command line that runs this machine's agent. */
interface AgentLine {
  /** The same line for the standalone agent: `run` and its flags. */
  args: string[];
  stateDirectory: string;
}

/** The agent's state folder, unless a flag names another. */
export const defaultStateDirectory = ({ stateDirectory }: Pick<Environment, 'stateDirectory'>) =>
  join(stateDirectory, 'agent');

/**
 * Parses a command line that begins with `words`, without the client's command tables, which a supervisor does not
 * need. Undefined for any other line, for a help request, and for an invalid line: the parser handles those.
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
      if (hasSeparateValue(token)) before.push(argv[(index += 1)] ?? '');
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

/** The parser rejects a repeated flag. */
function valueOf(flag: string, flags: readonly string[]): string | undefined {
  const index = flags.findLastIndex((token) => token === flag || token.startsWith(`${flag}=`));
  const token = flags[index];
  const value = token === flag ? flags[index + 1] : token?.slice(flag.length + 1);
  return value === '' ? undefined : value;
}
