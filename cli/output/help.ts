import type { Catalog, ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import { wrap } from './text-width.ts';
import type { Sink } from '../command-line/io.ts';
import { programOf } from '../command-line/program.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { globalFlags, flagsOf } from '../command-line/global-flags.ts';

type Line = readonly [left: string, right: string];

/** `cli`, `cli help`: the daily commands, then the first words of all others by group, each once. */
export function rootHelp(out: Sink, catalog: Catalog, version: string): string {
  const { program } = catalog;
  const daily = (program.daily ?? []).flatMap((path) => catalog.find([path]) ?? []);
  const listed = new Set(daily.map(({ path }) => path));
  const sections = catalog.groups.map(({ title, commands }) => {
    const words = [...new Set(commands.map(({ path }) => path.split(' ')[0] ?? ''))].filter(
      (word) => !listed.has(word),
    );
    for (const word of words) listed.add(word);
    const lines = words.map((word): Line => {
      const topic = catalog.topic(word);
      return topic === undefined ? [word, catalog.find([word])?.summary ?? ''] : [`${word} …`, topic];
    });
    return section(out, title, twoColumns(out, lines, 16));
  });
  return page([
    `${program.name} ${version}: ${program.summary}`,
    section(
      out,
      'Examples',
      program.examples.map((line) => `  $ ${line}`),
    ),
    section(
      out,
      'Daily commands',
      twoColumns(
        out,
        daily.map(({ path, summary }): Line => [path, summary]),
        16,
      ),
    ),
    ...sections,
    section(out, 'Global flags', flagLines(out, globalFlags)),
    section(out, 'Exit codes', [
      '  0 done        1 failed        2 invalid command line   4 not signed in',
      '  5 not found   6 conflict      7 not applied            8 timed out',
      '  9 agent offline   130 interrupted   255 shell cut off',
    ]),
    learnMore(out, `${program.name} help <command>`),
  ]);
}

/** `cli robots`, `cli admin`: the commands below a word. */
export function groupHelp(out: Sink, catalog: Catalog, words: readonly string[]): string {
  const path = words.join(' ');
  const below = catalog.under(words);
  const example = below.flatMap(({ examples }) => examples.slice(0, 1)).slice(0, 3);
  const lines = below.map((command): Line => [
    usageOf(command).slice(catalog.program.name.length + 1),
    command.summary,
  ]);
  return page([
    catalog.topic(path) ?? path,
    section(
      out,
      'Examples',
      example.map((line) => `  $ ${line}`),
    ),
    section(out, 'Commands', twoColumns(out, lines, 30)),
    learnMore(out, `${catalog.program.name} help ${path} ${catalog.wordsAfter(words)[0] ?? ''}`),
  ]);
}

/** `cli robots list --help`: everything about one command, examples first. */
export function commandHelp(out: Sink, command: CommandSpec): string {
  const shown = flagsOf(command);
  const own = shown.filter((flag) => !globalFlags.includes(flag));
  const args = command.arguments ?? [];
  return page([
    wrapped(out, `${command.summary}${command.description === undefined ? '' : `\n${command.description}`}`).join('\n'),
    section(
      out,
      'Examples',
      command.examples.map((line) => `  $ ${line}`),
    ),
    section(out, 'Usage', [`  ${usageOf(command, own.some(({ required }) => !required) ? ['[flags]'] : [])}`]),
    section(
      out,
      'Arguments',
      twoColumns(
        out,
        [...args, ...(command.afterDashes ? [command.afterDashes] : [])].map(({ name, description }) => [
          `<${name}>`,
          description,
        ]),
        14,
      ),
    ),
    section(out, 'Flags', flagLines(out, own)),
    // Without those that the command redefines.
    section(
      out,
      'Global flags',
      flagLines(
        out,
        globalFlags.filter((flag) => shown.includes(flag)),
      ),
    ),
  ]);
}

function usageOf(command: CommandSpec, more: readonly string[] = []): string {
  const required = (command.flags ?? [])
    .filter((flag) => flag.required)
    .map((flag) => `--${flag.name} <${flag.value ?? 'value'}>`);
  const line = command.afterDashes ? [`[-- <${command.afterDashes.name}>…]`] : [];
  const args = (command.arguments ?? []).map(argumentUsage);
  return [programOf(command), command.path, ...args, ...required, ...more, ...line].join(' ');
}

function argumentUsage({ name, variadic, optional }: ArgumentSpec): string {
  const text = `<${name}>${variadic ? '…' : ''}`;
  return optional ? `[${text}]` : text;
}

function flagLines(out: Sink, flags: readonly FlagSpec[]): string[] {
  return twoColumns(
    out,
    flags.map((flag): Line => [flagUsage(flag), flagDescription(flag)]),
    28,
  );
}

function flagUsage({ name, short, value, on }: FlagSpec): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${on ? 'no-' : ''}${name}${value === undefined ? '' : ` <${value}>`}`;
}

function flagDescription({ description, choices, whenAbsent, required, multiple }: FlagSpec): string {
  const notes = [
    ...(choices ? [choices.join(', ')] : []),
    ...(required ? ['required'] : []),
    ...(multiple ? ['may be repeated'] : []),
    ...(whenAbsent === undefined ? [] : [`default: ${whenAbsent}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

/** Narrower terminals wrap by themselves. */
const leastWrapped = 24;

/** The lines of a text beside `indent` cells; as they are if not on a terminal. */
function wrapped({ tty, columns }: Sink, text: string, indent = 0): string[] {
  const room = columns - indent;
  return tty && room >= leastWrapped ? wrap(text, room) : [text];
}

/** Lines of two columns; a left side wider than its column gets its own line. */
function twoColumns(out: Sink, lines: readonly Line[], width: number): string[] {
  const indent = ' '.repeat(width + 4);
  return lines.map(([left, right]) => {
    const text = wrapped(out, right, indent.length).join(`\n${indent}`);
    return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`;
  });
}

const section = (out: Sink, title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : [out.paint(title.toUpperCase(), 'strong'), ...lines].join('\n');

const learnMore = (out: Sink, command: string) =>
  section(out, 'Learn more', [`  ${command}`, '  API reference: <address of the service>/docs']);

const page = (parts: readonly string[]) => `${parts.filter((part) => part !== '').join('\n\n')}\n`;
