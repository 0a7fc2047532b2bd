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

export type FlagValue = string | number | boolean | readonly string[];

/** The flags of one call, read by their names as typed. Asking for one that the command does not declare is a bug, and throws. */
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

  /** The same with one flag as if it were absent: for what reads a flag that means something else to this command. */
  without(name: string): Flags {
    const flags = new Flags([], new Map([...this.#values].filter(([each]) => each !== name)));
    flags.#declared = this.#declared;
    return flags;
  }

  /** True if the command declares it; for what reads flags that only some commands have. */
  has(name: string): boolean {
    return this.#declared.has(name);
  }

  #read(name: string): FlagValue | undefined {
    if (!this.#declared.has(name)) throw new Error(`this command declares no --${name}`);
    return this.#values.get(name);
  }
}
