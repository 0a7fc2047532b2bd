import { isId } from '../../command-line/id.ts';
import { shellWord } from '../../command-line/shell-word.ts';

/** A command as typed in a shell: `cli deploy nav-1.8.2 --fleet 'hall 3'`. */
export const commandText = (words: readonly string[]): string => ['cli', ...words].map(shellWord).join(' ');

type FlagValue = string | number | true | undefined;

interface CommandLine {
  command: string;
  args?: readonly string[];
  /** By name without the dashes; undefined: omitted; several texts: repeated. */
  flags?: Readonly<Record<string, FlagValue | readonly string[]>>;
}

/** The words of a command. Values that begin with a dash are written so that they are not parsed as flags. */
export function commandWords({ command, args = [], flags = {} }: CommandLine): readonly string[] {
  const given = Object.entries(flags).flatMap(([name, value]) =>
    typeof value === 'object' ? value.flatMap((each) => flagWords(name, each)) : flagWords(name, value),
  );
  return args.some((arg) => arg.startsWith('-'))
    ? [...command.split(' '), ...given, '--', ...args]
    : [...command.split(' '), ...args, ...given];
}

function flagWords(name: string, value: FlagValue): readonly string[] {
  if (value === undefined) return [];
  if (value === true) return [`--${name}`];
  const text = String(value);
  return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
}

/** How a command names an item: by its name if that is unique, else by its id. */
export function nameOrId(items: readonly { id: string; name: string }[] | undefined, id: string): string {
  const own = items?.find((item) => item.id === id);
  if (!items || !own || own.name === '' || isId(own.name)) return id;
  return items.filter(({ name }) => name === own.name).length === 1 ? own.name : id;
}
