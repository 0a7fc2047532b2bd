import meow, { type AnyFlag } from 'meow';
import type { FlagSpec } from './flag-spec.ts';
import { camelCase, type SplitLine } from './split-line-types.ts';

/**
 * Takes a command line apart by meow. The names of the flags were checked before; their values are checked after. What is left for it to
 * throw is a flag that is given twice.
 */
export function splitLine(declared: readonly FlagSpec[], argv: readonly string[]): SplitLine {
  const flags = Object.fromEntries(declared.map((flag) => [camelCase(flag.name), meowFlag(flag)]));
  // A `pkg` of our own spares meow the search for a package.json.
  const options = { importMeta: import.meta, pkg: { name: 'cli' }, autoHelp: false, autoVersion: false } as const;
  const { input, flags: values } = meow({ ...options, argv: joinDashes(declared, argv), flags });
  return { input, flags: values };
}

function meowFlag(flag: FlagSpec): AnyFlag {
  const short = flag.short === undefined ? {} : { shortFlag: flag.short };
  if (flag.type === 'boolean') return { type: 'boolean', ...short, ...(flag.on && { default: true }) };
  return flag.multiple ? { type: 'string', isMultiple: true, ...short } : { type: 'string', ...short };
}

/** `--token -` and `--token=-` are the same; the parser would take the lone dash of the first for a word of its own. */
function joinDashes(declared: readonly FlagSpec[], argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const token = argv[index] ?? '';
    if (token === '--') return [...joined, ...argv.slice(index)];
    const flag = declared.find(({ name, type }) => token === `--${name}` && type !== 'boolean');
    if (flag && argv[index + 1] === '-') {
      joined.push(`${token}=-`);
      index += 1;
    } else {
      joined.push(token);
    }
  }
  return joined;
}
