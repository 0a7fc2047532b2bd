import type { Catalog } from '../command-spec.ts';
import { flagsOf } from '../global-flags.ts';
import type { FlagSpec } from '../flag-spec.ts';

/** Candidates after the words of `path`, from which the shells' scripts are generated. */
interface CompletionPoint {
  path: string;
  words: readonly string[];
}

/** The values of a flag or an argument with fixed choices. */
interface CompletionChoices {
  path: string;
  /** As typed: `--output` and `-o`. */
  flags: readonly string[];
  choices: readonly string[];
}

const flagWords = (flag: FlagSpec) => [
  `--${flag.on ? 'no-' : ''}${flag.name}`,
  ...(flag.short === undefined ? [] : [`-${flag.short}`]),
];

/** The root, every group and every command. */
export function completionPoints({ commands, wordsAfter }: Catalog): CompletionPoint[] {
  const groupPaths = new Set(commands.flatMap(({ path }) => prefixes(path)));
  const groupPoints = [...groupPaths].map((path) => ({ path, words: wordsAfter(path === '' ? [] : path.split(' ')) }));
  const commandPoints = commands.map((command) => {
    const values =
      command.path === 'help' ? wordsAfter([]) : (command.arguments?.find(({ choices }) => choices)?.choices ?? []);
    return {
      path: command.path,
      words: [...values, ...flagsOf(command).flatMap((flag) => flagWords(flag).slice(0, 1))],
    };
  });
  return [...groupPoints, ...commandPoints];
}

export function completionChoices({ commands }: Catalog): CompletionChoices[] {
  return commands.flatMap((command) =>
    flagsOf(command).flatMap((flag) =>
      flag.choices ? [{ path: command.path, flags: flagWords(flag), choices: flag.choices }] : [],
    ),
  );
}

/** '' and each proper prefix: `admin orgs list` gives '', `admin`, `admin orgs`. */
function prefixes(path: string): string[] {
  const words = path.split(' ');
  return words.map((_, index) => words.slice(0, index).join(' '));
}
