import type { CommandGroup, CommandSpec } from './command-spec.ts';

/** Who has the commands. */
interface Program {
  /** As it is typed. */
  name: string;
  summary: string;
  /** Lines as typed, for those who know nothing of it yet. */
  examples: readonly string[];
}

/** The command table with the questions that help, dispatch and completion ask it. */
export interface Catalog {
  program: Program;
  groups: readonly CommandGroup[];
  commands: readonly CommandSpec[];
  /** What a group of commands with the same first words is about; undefined for words that are no group. */
  topic(path: string): string | undefined;
  /** The command of exactly these words. */
  find(words: readonly string[]): CommandSpec | undefined;
  /** The commands below these words; all of them for none. */
  under(words: readonly string[]): readonly CommandSpec[];
  /** The words that may follow these, each once. */
  wordsAfter(words: readonly string[]): string[];
}

export function catalogOf(
  groups: readonly CommandGroup[],
  topics: Readonly<Record<string, string>>,
  program: Program,
): Catalog {
  const commands = groups.flatMap((group) => group.commands);
  const under = (words: readonly string[]) =>
    commands.filter(({ path }) => words.length === 0 || path.startsWith(`${words.join(' ')} `));
  return {
    program,
    groups,
    commands,
    topic: (path) => (Object.hasOwn(topics, path) ? topics[path] : undefined),
    find: (words) => commands.find(({ path }) => path === words.join(' ')),
    under,
    wordsAfter: (words) => [...new Set(under(words).map(({ path }) => path.split(' ')[words.length] ?? ''))],
  };
}
