import type { operations } from '../../generated/api.d.ts';
import type { Environment } from './config.ts';
import type { Flags, FlagSpec } from './flag-spec.ts';
import type { Io } from './io.ts';

export interface ArgumentSpec {
  name: string;
  description: string;
  /** Takes all that follow, one at least; only the last argument can. */
  variadic?: boolean;
  /** May be left out; only the last argument can. Default: required. */
  optional?: boolean;
  /** Takes the empty text, as a value that may be one. Default: false. */
  mayBeEmpty?: boolean;
  choices?: readonly string[];
}

/** One command. The table of these drives parsing, help, suggestions and completion. */
export interface CommandSpec {
  /** Words as typed, as in `admin orgs list`. */
  path: string;
  /** The program that has it, as it is typed; default: `cli`. */
  program?: string;
  summary: string;
  /** More than the summary says; default: nothing more. */
  description?: string;
  arguments?: readonly ArgumentSpec[];
  /** Takes a line of another program behind two dashes, as it is; default: what follows those is arguments like others. */
  afterDashes?: Pick<ArgumentSpec, 'name' | 'description'>;
  flags?: readonly FlagSpec[];
  /** Lines as typed, without the prompt; the most common one first. */
  examples: readonly string[];
  /** The operations of the contract it calls. */
  operations?: readonly (keyof operations)[];
  /** What it prints: a list and an object take `--output` and `--fields`. Default: neither. */
  prints?: 'list' | 'object';
  load: () => Promise<Run>;
}

/** The group a command belongs to in `cli help`. */
export interface CommandGroup {
  title: string;
  commands: readonly CommandSpec[];
}

/** Who has the commands. */
export interface Program {
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

/** What a command gets. */
export interface Invocation {
  command: CommandSpec;
  /** In the order of the spec; a variadic one gives several. */
  args: readonly string[];
  /** What stands behind two dashes, where the command takes a line there; else empty. */
  afterDashes: readonly string[];
  flags: Flags;
  catalog: Catalog;
  environment: Environment;
  io: Io;
  /** Version of this client. */
  version: string;
  /** Each request is sent once, because what asks repeats its questions by itself. Default: requests are retried. */
  sendsOnce?: true;
}

/** Gives an exit code, or nothing for success. */
export type Run = (call: Invocation) => Promise<number | undefined> | Promise<void>;
