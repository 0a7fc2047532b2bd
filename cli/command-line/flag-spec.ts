/**
 * What a value names, for completion: objects of the service, names in files of the client, or files. A kind has a source
 * of candidates in commands/completion/sources.ts.
 */
export type ValueKind =
  | 'robot'
  | 'fleet'
  | 'site'
  | 'release'
  | 'release kind'
  | 'deployment'
  | 'config deployment'
  | 'deployment status'
  | 'target status'
  | 'config'
  | 'namespace'
  | 'enrollment key'
  | 'condition rule'
  | 'maintenance window'
  | 'rollout policy'
  | 'disruption budget'
  | 'log redaction rule'
  | 'token'
  | 'recording'
  | 'user'
  | 'org'
  | 'profile'
  | 'file';

/** One flag of a command. Names are as typed, without the dashes. */
export interface FlagSpec {
  name: string;
  type: 'text' | 'integer' | 'boolean';
  /** One letter, such as `o` for `-o`. */
  short?: string;
  /** Placeholder of the value in help; every flag except a boolean has one. */
  value?: string;
  description: string;
  /** Default: not required. */
  required?: boolean;
  /** May be given more than once; default: once. */
  multiple?: boolean;
  /** What the value names; default: nothing that can be completed. */
  takes?: ValueKind;
  /** Accepts the empty text as a value. Default: false. */
  mayBeEmpty?: boolean;
  /** The only accepted values; default: any. */
  choices?: readonly string[];
  /** Limits of an integer; default 0 and 2^53 - 1. */
  min?: number;
  max?: number;
  /** The meaning of an absent flag, for help. */
  whenAbsent?: string;
  /** Shown in help as `--no-<name>`: a boolean that is on by default. */
  on?: boolean;
}

export type FlagValue = string | number | boolean | readonly string[];

/** The flags of one call, by their names as typed. Reading an undeclared flag is a bug, and throws. */
export class Flags {
  #declared: ReadonlySet<string>;
  readonly #values: ReadonlyMap<string, FlagValue>;

  constructor(declared: readonly FlagSpec[], values: ReadonlyMap<string, FlagValue>) {
    this.#declared = new Set(declared.map((flag) => flag.name));
    this.#values = values;
  }

  /** Undefined if absent. */
  text(name: string): string | undefined {
    const value = this.#read(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** Undefined if absent. */
  integer(name: string): number | undefined {
    const value = this.#read(name);
    return typeof value === 'number' ? value : undefined;
  }

  /** False if absent. */
  on(name: string): boolean {
    return this.#read(name) === true;
  }

  /** Empty if absent. */
  texts(name: string): readonly string[] {
    const value = this.#read(name);
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  /** True if it was typed, whatever its type. */
  isGiven(name: string): boolean {
    return this.#read(name) !== undefined;
  }

  /**
   * The same flags, with one treated as absent: for code that reads a flag to which this command gives another meaning.
   */
  without(name: string): Flags {
    const flags = new Flags([], new Map([...this.#values].filter(([each]) => each !== name)));
    flags.#declared = this.#declared;
    return flags;
  }

  /** The same flags, with another value of one, which the command declares. */
  with(name: string, value: FlagValue): Flags {
    const flags = new Flags([], new Map([...this.#values, [name, value]]));
    flags.#declared = this.#declared;
    return flags;
  }

  /** True if the command declares the flag; for code that reads flags of only some commands. */
  has(name: string): boolean {
    return this.#declared.has(name);
  }

  #read(name: string): FlagValue | undefined {
    if (!this.#declared.has(name)) throw new Error(`this command declares no --${name}`);
    return this.#values.get(name);
  }
}
