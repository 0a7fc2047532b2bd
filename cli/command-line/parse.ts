import { usage, type CliError } from './errors.ts';
import { Flags, type FlagValue, type FlagSpec } from './flag-spec.ts';
import { programOf } from './program.ts';
import type { ArgumentSpec, CommandSpec } from './command-spec.ts';
import { camelCase, type SplitLine } from './split-line-types.ts';
import { nearest } from './suggest.ts';
import { flagsOf } from './global-flags.ts';

interface Parsed {
  args: string[];
  afterDashes: string[];
  flags: Flags;
}

/** Parses what follows the command's words. Strict: anything that the command does not declare is a usage error. */
export async function parse(command: CommandSpec, line: readonly string[]): Promise<Parsed> {
  const dashes = command.afterDashes ? line.indexOf('--') : -1;
  const [argv, afterDashes] = dashes === -1 ? [line, []] : [line.slice(0, dashes), line.slice(dashes + 1)];
  const declared = flagsOf(command);
  checkNames(command, declared, argv);
  const parsed = await split(declared, argv);
  const values = new Map<string, FlagValue>();
  for (const flag of declared) {
    const given = parsed.flags[camelCase(flag.name)];
    // For a repeatable flag the parser silently drops occurrences without a value.
    if (flag.multiple && Array.isArray(given) && given.length < timesTyped(flag, argv)) throw needsValue(command, flag);
    const isEmpty = flag.mayBeEmpty === true && isTypedEmpty(flag, argv);
    const value = isEmpty ? '' : (flagValue(command, flag, given) ?? (flag.on ? true : undefined));
    if (value !== undefined) values.set(flag.name, value);
  }
  const flags = new Flags(declared, values);
  // Help works on an incomplete line.
  if (flags.on('help')) return { args: [], afterDashes: [], flags };
  for (const flag of declared) {
    if (flag.required && !values.has(flag.name))
      throw wrong(command, `missing flag --${flag.name} <${flag.value ?? 'value'}>`);
  }
  if (dashes !== -1 && afterDashes.length === 0) throw wrong(command, 'no command follows the two dashes');
  return { args: checkedArguments(command, parsed.input), afterDashes, flags };
}

/**
 * A line without flags consists only of words. It skips the flag parser, which takes as long to load as everything
 * else.
 */
async function split(declared: readonly FlagSpec[], argv: readonly string[]): Promise<SplitLine> {
  if (!argv.some((token) => token.startsWith('-'))) return { input: [...argv], flags: {} };
  const { splitLine } = await import('./split-line.ts');
  try {
    return splitLine(
      declared.filter((flag) => occurs(flag, argv)),
      argv,
    );
  } catch (error) {
    throw usage(
      (error as Error).message.replace(/^The flag --(\w+)/, (_, key: string) => `the flag --${kebabCase(key)}`),
    );
  }
}

/** Each declared flag costs the parser time; one too many does no harm. */
function occurs({ name, short }: FlagSpec, argv: readonly string[]): boolean {
  const typed = [`--${name}`, `--no-${name}`, ...(short === undefined ? [] : [`-${short}`])];
  return argv.some((token) => typed.some((beginning) => token.startsWith(beginning)));
}

function timesTyped({ name, short }: FlagSpec, argv: readonly string[]): number {
  const end = argv.indexOf('--');
  const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  return (end === -1 ? argv : argv.slice(0, end)).filter((token) => names.includes(token.split('=', 1)[0] ?? ''))
    .length;
}

/** `--clear ""` and `--clear=`; for the parser a flag without a value is empty too. */
function isTypedEmpty({ name }: FlagSpec, argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some(
    (token, index) => token === `--${name}=` || (token === `--${name}` && argv[index + 1] === ''),
  );
}

const kebabCase = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function checkNames(command: CommandSpec, declared: readonly FlagSpec[], argv: readonly string[]): void {
  const end = argv.indexOf('--');
  for (const token of end === -1 ? argv : argv.slice(0, end)) {
    const [, dashes, name] = /^(--?)([^=\d-][^=]*)/.exec(token) ?? [];
    if (dashes === undefined || name === undefined) continue;
    const known =
      dashes === '-' ? declared.some(({ short }) => short === name) : declared.some((flag) => isNamed(flag, name));
    if (known && isBooleanWithValue(declared, token)) throw wrong(command, `the flag --${name} takes no value`);
    if (known) continue;
    const near = nearest(
      name,
      declared.map((flag) => flag.name),
    );
    const hint =
      near !== undefined
        ? ` Did you mean --${near}?`
        : command.afterDashes
          ? ` Put a ${command.afterDashes.name} with flags after two dashes: -- <${command.afterDashes.name}>`
          : '';
    throw wrong(command, `unknown flag ${dashes}${name}.${hint}`);
  }
}

const isBooleanWithValue = (declared: readonly FlagSpec[], token: string) =>
  declared.some((flag) => flag.type === 'boolean' && token.startsWith(`--${flag.name}=`));

const isNamed = (flag: FlagSpec, name: string) =>
  flag.name === name || (flag.type === 'boolean' && `no-${flag.name}` === name);

function flagValue(command: CommandSpec, flag: FlagSpec, given: unknown): FlagValue | undefined {
  if (given === undefined) return undefined;
  if (flag.type === 'boolean') {
    if (typeof given !== 'boolean') throw wrong(command, `the flag --${flag.name} takes no value`);
    return given;
  }
  if (flag.multiple) return textsOf(command, flag, given);
  const text = textOf(command, flag, given);
  return flag.type === 'integer' ? integerOf(command, flag, text) : text;
}

function textsOf(command: CommandSpec, flag: FlagSpec, given: unknown): string[] {
  return (Array.isArray(given) ? given : [given]).map((value) => textOf(command, flag, value));
}

function textOf(command: CommandSpec, flag: FlagSpec, given: unknown): string {
  if (typeof given !== 'string' || given === '') throw needsValue(command, flag);
  if (flag.choices && !flag.choices.includes(given))
    throw wrong(command, `--${flag.name} takes ${flag.choices.join(', ')}, not "${given}"`);
  return given;
}

function integerOf(command: CommandSpec, flag: FlagSpec, text: string): number {
  const { min = 0, max } = flag;
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = max === undefined ? `from ${min} up` : `from ${min} to ${max}`;
  throw wrong(command, `--${flag.name} takes a whole number ${range}, not "${text}"`);
}

function checkedArguments(command: CommandSpec, given: readonly string[]): string[] {
  const declared = command.arguments ?? [];
  declared.forEach((argument, index) => checkArgument(command, argument, given[index]));
  const extra = declared.at(-1)?.variadic ? undefined : given[declared.length];
  if (extra !== undefined)
    throw wrong(
      command,
      `unexpected argument "${extra}"${command.afterDashes ? `; put the ${command.afterDashes.name} after two dashes: -- ${extra}` : ''}`,
    );
  return [...given];
}

function checkArgument(
  command: CommandSpec,
  { name, optional, mayBeEmpty, choices }: ArgumentSpec,
  given: string | undefined,
): void {
  if (given === undefined && optional) return;
  if (given === undefined || (given === '' && !mayBeEmpty)) throw wrong(command, `missing argument <${name}>`);
  if (choices && !choices.includes(given)) throw wrong(command, `<${name}> is ${choices.join(', ')}, not "${given}"`);
}

const needsValue = (command: CommandSpec, flag: FlagSpec): CliError =>
  wrong(command, `the flag --${flag.name} needs a value: --${flag.name} <${flag.value ?? 'value'}>`);

const wrong = (command: CommandSpec, message: string): CliError =>
  usage(message, `Show usage with: ${programOf(command)} help ${command.path}`);
