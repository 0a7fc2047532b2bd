import type { operations } from '../../generated/api.d.ts';
import type { Environment } from './config.ts';
import type { Flags, FlagSpec, ValueKind } from './flag-spec.ts';
import type { Io } from './io.ts';

export interface ArgumentSpec {
  name: string;
  description: string;
  /** Takes all remaining arguments, at least one; only the last argument can. */
  variadic?: boolean;
  /** May be omitted; only the last argument can. Default: required. */
  optional?: boolean;
  /** Accepts the empty text as a value. Default: false. */
  mayBeEmpty?: boolean;
  choices?: readonly string[];
  /** What it names; default: nothing that can be completed. */
  takes?: ValueKind;
}

/** One command. The command table drives parsing, help, suggestions and completion. */
export interface CommandSpec {
  /** Words as typed, such as `admin orgs list`. */
  path: string;
  /** The program of the command, as typed; default: `cli`. */
  program?: string;
  summary: string;
  /** More than the summary; default: none. */
  description?: string;
  arguments?: readonly ArgumentSpec[];
  /**
   * Accepts another program's command line after two dashes, unchanged; default: what follows them are normal
   * arguments.
   */
  afterDashes?: Pick<ArgumentSpec, 'name' | 'description'>;
  flags?: readonly FlagSpec[];
  /** Lines as typed, without the prompt; the most common one first. */
  examples: readonly string[];
  /** The contract's operations that the command calls. */
  operations?: readonly (keyof operations)[];
  /**
   * What the command prints: a list and an object accept `--output` and `--fields`; all of them accept `--jq`.
   * `details`: an object that is read, in a pipe as key-value lines. `json`: an object, with `--json` alone. Default:
   * none of them.
   */
  prints?: 'list' | 'object' | 'details' | 'json';
  /**
   * It changes something at the service, and so takes `--dry-run`. `confirmed`: a person in a terminal is asked first,
   * and it takes `--yes`. Default: it changes nothing.
   */
  changes?: 'confirmed' | 'unconfirmed';
  load: () => Promise<Run>;
}

/** The command's group in `cli help`. */
export interface CommandGroup {
  title: string;
  commands: readonly CommandSpec[];
}

/** The program of the commands. */
export interface Program {
  /** As typed. */
  name: string;
  summary: string;
  /** Lines as typed, for new users. */
  examples: readonly string[];
  /** Paths of the commands that help lists first. Default: none. */
  daily?: readonly string[];
  /** Applies the expression of `--jq`. Default: the program has no such flag. */
  filter?: (call: Invocation, expression: string) => Promise<FilteredCall>;
}

/** A call whose output is filtered. */
export interface FilteredCall {
  call: Invocation;
  /** Called once the command has ended with this exit code; returns that of the process. */
  ended(code: number): number;
}

/** The command table, with the lookups for help, dispatch and completion. */
export interface Catalog {
  program: Program;
  groups: readonly CommandGroup[];
  commands: readonly CommandSpec[];
  /** Description of a group of commands with the same first words; undefined for words that are no group. */
  topic(path: string): string | undefined;
  /** The command with exactly these words. */
  find(words: readonly string[]): CommandSpec | undefined;
  /** The commands below these words; all of them for no words. */
  under(words: readonly string[]): readonly CommandSpec[];
  /** The words that can follow these, each once. */
  wordsAfter(words: readonly string[]): string[];
}

/** A command's input. */
export interface Invocation {
  command: CommandSpec;
  /** In the order of the spec; a variadic argument gives several. */
  args: readonly string[];
  /** The line after two dashes, if the command accepts one; else empty. */
  afterDashes: readonly string[];
  flags: Flags;
  catalog: Catalog;
  environment: Environment;
  io: Io;
  /** Version of this client. */
  version: string;
  /** Each request is sent once, because the caller repeats it anyway. Default: requests are retried. */
  sendsOnce?: true;
}

/** Returns an exit code, or nothing for success. */
export type Run = (call: Invocation) => Promise<number | undefined> | Promise<void>;
