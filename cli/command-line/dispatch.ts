import type { Catalog, CommandSpec } from './command-spec.ts';
import { usage, type CliError } from './errors.ts';
import { nearest } from './suggest.ts';
import { globalFlags } from './global-flags.ts';

/** What the words of the command line select. */
export type Match =
  | { kind: 'command'; command: CommandSpec; rest: string[] }
  /** The root or a group, without further words; `words` may be empty. */
  | { kind: 'group'; words: string[]; help: boolean };

const isHelp = (token: string) => token === '--help' || token === '-h';

/** Finds the command; global flags may precede or separate its words. Throws a usage error for an unknown word. */
export function match(catalog: Catalog, argv: readonly string[]): Match {
  const words: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const token = argv[index] ?? '';
    if (token.startsWith('-') && token !== '-') {
      rest.push(token, ...valueAfter(token, argv[index + 1]));
      index += valueAfter(token, argv[index + 1]).length;
      continue;
    }
    if (!catalog.wordsAfter(words).includes(token)) throw unknownCommand(catalog, words, token);
    words.push(token);
    const command = catalog.find(words);
    if (command) return { kind: 'command', command, rest: [...rest, ...argv.slice(index + 1)] };
  }
  const stray = rest.find((token) => token.startsWith('-') && !isGlobal(token));
  if (stray !== undefined) throw usage(`the flag ${stray} needs a command before it`, helpHint(catalog, words));
  return { kind: 'group', words, help: rest.some(isHelp) };
}

/** The value of a global flag, if it is a separate word. */
function valueAfter(token: string, next: string | undefined): string[] {
  const takesValue = globalFlags.some(({ name, type }) => token === `--${name}` && type !== 'boolean');
  return takesValue && next !== undefined ? [next] : [];
}

function isGlobal(token: string): boolean {
  const name = token.replace(/=.*$/s, '');
  return globalFlags.some(
    (flag) => name === `--${flag.name}` || name === `--no-${flag.name}` || name === `-${flag.short ?? '-'}`,
  );
}

function unknownCommand(catalog: Catalog, words: readonly string[], token: string): CliError {
  const typed = [...words, token].join(' ');
  const near = nearest(token, catalog.wordsAfter(words));
  const guess = near === undefined ? '' : ` Did you mean "${[...words, near].join(' ')}"?`;
  return usage(`unknown command "${typed}".${guess}`, helpHint(catalog, words));
}

const helpHint = ({ program }: Catalog, words: readonly string[]) =>
  `Commands: ${[program.name, 'help', ...words].join(' ')}`;
