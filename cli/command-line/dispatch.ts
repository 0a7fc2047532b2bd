import type { Catalog, CommandSpec } from './command-spec.ts';
import { usage, type CliError } from './errors.ts';
import { nearest } from './suggest.ts';
import { globalFlags, hasSeparateValue } from './global-flags.ts';

/** What the words of the command line select. */
export type Match =
  | { kind: 'command'; command: CommandSpec; rest: string[] }
  /** The root or a group, without further words; `words` may be empty. */
  | { kind: 'group'; words: string[]; help: boolean };

const isHelp = (token: string) => token === '--help' || token === '-h';

/**
 * Finds the command; global flags and those of the output may precede or separate its words. Throws a usage error for
 * an unknown word.
 */
export function match(catalog: Catalog, argv: readonly string[]): Match {
  const words: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const token = argv[index] ?? '';
    if (token.startsWith('-') && token !== '-') {
      rest.push(token);
      const value = hasSeparateValue(token) ? argv[index + 1] : undefined;
      if (value === undefined) continue;
      rest.push(value);
      index += 1;
      continue;
    }
    if (!catalog.wordsAfter(words).includes(token)) throw wrongWord(catalog, words, token, argv[index - 1]);
    words.push(token);
    const command = catalog.find(words);
    if (command) return { kind: 'command', command, rest: [...rest, ...argv.slice(index + 1)] };
  }
  const stray = rest.find((token) => token.startsWith('-') && !isGlobal(token));
  if (stray !== undefined) throw usage(`the flag ${stray} needs a command`, helpHint(catalog, words));
  return { kind: 'group', words, help: rest.some(isHelp) };
}

function isGlobal(token: string): boolean {
  const name = token.replace(/=.*$/s, '');
  return globalFlags.some(
    (flag) => name === `--${flag.name}` || name === `--no-${flag.name}` || name === `-${flag.short ?? '-'}`,
  );
}

/** `before` is the previous word of the line: a flag there may be one whose value only the command knows. */
function wrongWord(catalog: Catalog, words: readonly string[], token: string, before = ''): CliError {
  const isOwnFlag = before.startsWith('-') && !before.includes('=') && !isGlobal(before) && !hasSeparateValue(before);
  if (!isOwnFlag) return unknownCommand(catalog, words, token);
  const command = [catalog.program.name, ...words, '<command>'].join(' ');
  return usage(`the flag ${before} belongs after the command`, `Type: ${command} ${before} ${token}`);
}

function unknownCommand(catalog: Catalog, words: readonly string[], token: string): CliError {
  const typed = [...words, token].join(' ');
  const near = nearest(token, catalog.wordsAfter(words));
  const guess = near === undefined ? '' : ` Did you mean "${[...words, near].join(' ')}"?`;
  return usage(`unknown command "${typed}".${guess}`, helpHint(catalog, words));
}

const helpHint = ({ program }: Catalog, words: readonly string[]) =>
  `List commands with: ${[program.name, 'help', ...words].join(' ')}`;
