import type { ArgumentSpec, Catalog, CommandSpec } from '../command-spec.ts';
import type { FlagSpec, ValueKind } from '../flag-spec.ts';
import { flagsOf, globalFlags, hasSeparateValue } from '../global-flags.ts';

/** A word that may stand at the cursor, with its description. */
export interface Candidate {
  word: string;
  about: string;
}

/** What may stand at the cursor. */
export interface Position {
  /** Known without the service: commands, flags and fixed values. */
  words: readonly Candidate[];
  /** What the value at the cursor names; its candidates follow `words`. */
  takes?: ValueKind | undefined;
  /** The part of the typed word before the value: `--fleet=`, or nothing. */
  before: string;
  /** The value as typed so far. */
  typed: string;
  /** Complete flags of the line with a value, by name: the profile, the org, the site. */
  flags: ReadonlyMap<string, string>;
}

interface Line {
  words: string[];
  command: CommandSpec | undefined;
  args: number;
  flags: Map<string, string>;
  /** The last word is a flag that takes the next word as its value. */
  open: FlagSpec | undefined;
  afterDashes: boolean;
}

/** The position of `current`, the word at the cursor, after the complete words of the line. */
export function positionOf(catalog: Catalog, complete: readonly string[], current: string): Position {
  const line = readLine(catalog, complete);
  const { command, flags, open, words } = line;
  const at = (before: string, typed: string, spec: { choices?: readonly string[]; takes?: ValueKind } | undefined) => ({
    words: (spec?.choices ?? []).map((word) => ({ word, about: '' })),
    takes: spec?.takes,
    before,
    typed,
    flags,
  });
  if (open) return at('', current, open);
  if (line.afterDashes && command?.afterDashes) return at('', current, undefined);
  const known = command ? flagsOf(command) : globalFlags;
  const [, name, typed = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (name !== undefined && !line.afterDashes) return at(`${name}=`, typed, flagNamed(known, name));
  if (current.startsWith('-') && !line.afterDashes)
    return {
      ...at('', current, undefined),
      words: known.map(({ name: each, on, description }) => ({
        word: `--${on ? 'no-' : ''}${each}`,
        about: description,
      })),
    };
  if (command?.path !== 'help' && command) return at('', current, argumentAt(command, line.args));
  const topics = command ? complete.slice(complete.indexOf('help') + 1).filter((word) => !word.startsWith('-')) : words;
  return { ...at('', current, undefined), words: wordsAfter(catalog, topics) };
}

const wordsAfter = (catalog: Catalog, words: readonly string[]): Candidate[] =>
  catalog.wordsAfter(words).flatMap((word) => {
    const path = [...words, word];
    return word === '' ? [] : [{ word, about: catalog.topic(path.join(' ')) ?? catalog.find(path)?.summary ?? '' }];
  });

function readLine(catalog: Catalog, complete: readonly string[]): Line {
  const line: Line = { words: [], command: undefined, args: 0, flags: new Map(), open: undefined, afterDashes: false };
  for (const word of complete) {
    if (line.open) {
      line.flags.set(line.open.name, word);
      line.open = undefined;
    } else if (word === '--') line.afterDashes = true;
    else if (!line.afterDashes && word.startsWith('-') && word !== '-') readFlag(line, word);
    else if (line.command) line.args += 1;
    else {
      line.words.push(word);
      line.command = catalog.find(line.words);
    }
  }
  return line;
}

function readFlag(line: Line, word: string): void {
  const [, name, value] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (name === undefined) return;
  const flag = flagNamed(line.command ? flagsOf(line.command) : globalFlags, name);
  if (value !== undefined && flag) line.flags.set(flag.name, value);
  else if (flag && flag.type !== 'boolean') line.open = flag;
  // Before the command's words: `-o json`.
  else if (!flag && hasSeparateValue(word)) line.open = { name: word, type: 'text', description: '' };
}

const flagNamed = (flags: readonly FlagSpec[], typed: string) =>
  flags.find(({ name, short }) => typed === `--${name}` || (short !== undefined && typed === `-${short}`));

function argumentAt({ arguments: declared = [] }: CommandSpec, index: number): ArgumentSpec | undefined {
  const last = declared.at(-1);
  return declared[index] ?? (last?.variadic ? last : undefined);
}
