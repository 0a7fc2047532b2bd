import type { OperationId } from '../api/api.ts';
import type { Catalog } from './catalog.ts';
import type { Environment } from './config.ts';
import type { Flags } from './flag-spec.ts';
import type { Io } from '../output/io.ts';

/** One flag of a command. Names are as typed, without the dashes. */
export interface FlagSpec {
  name: string;
  type: 'text' | 'integer' | 'boolean';
  /** One letter, as in `-o`. */
  short?: string;
  /** What stands for the value in help; every flag but a boolean one has it. */
  value?: string;
  description: string;
  /** Default: not required. */
  required?: boolean;
  /** May be given more than once; default: once. */
  multiple?: boolean;
  /** The only values it takes; default: any. */
  choices?: readonly string[];
  /** Limits of an integer; default 0 and 2^53 - 1. */
  min?: number;
  max?: number;
  /** What an absent flag means, in words for help. */
  whenAbsent?: string;
  /** Shown in help as `--no-<name>`: a boolean that is on unless it is turned off. */
  on?: boolean;
}

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
  operations?: readonly OperationId[];
  /** What it prints: a list and an object take `--output` and `--fields`. Default: neither. */
  prints?: 'list' | 'object';
  load: () => Promise<Run>;
}

/** The group a command belongs to in `cli help`. */
export interface CommandGroup {
  title: string;
  commands: readonly CommandSpec[];
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
}

/** Gives an exit code, or nothing for success. */
export type Run = (call: Invocation) => Promise<number | undefined> | Promise<void>;
