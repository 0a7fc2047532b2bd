import type { Catalog, CommandGroup, Program } from './command-spec.ts';

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
