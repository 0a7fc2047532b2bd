import meow, { type AnyFlag } from 'meow';
import type { FlagSpec } from './flag-spec.ts';
import { camelCase, type SplitLine } from './split-line-types.ts';

/**
 * Splits a command line with meow. Flag names are checked before, values after. meow itself only throws for a repeated
 * flag.
 */
export function splitLine(declared: readonly FlagSpec[], argv: readonly string[]): SplitLine {
  const flags = Object.fromEntries(declared.map((flag) => [camelCase(flag.name), meowFlag(flag)]));
  // An explicit `pkg` saves meow the search for a package.json.
  const options = { importMeta: import.meta, pkg: { name: 'cli' }, autoHelp: false, autoVersion: false } as const;
  const { input, flags: values } = meow({ ...options, argv: joinDashes(declared, argv), flags });
  return { input, flags: values };
}

function meowFlag(flag: FlagSpec): AnyFlag {
  const short = flag.short === undefined ? {} : { shortFlag: flag.short };
  if (flag.type === 'boolean') return { type: 'boolean', ...short, ...(flag.on && { default: true }) };
  return flag.multiple ? { type: 'string', isMultiple: true, ...short } : { type: 'string', ...short };
}

/** The parser removes one pair of quotes around a value after `=`, but none around one that is a word of its own. */
const keepQuotes = (token: string) => token.replace(/^(--[^=]+=)((['"]).*\3)$/s, '$1$3$2$3');

/**
 * `--token -` and `--token=-` are equal, and so are `--since -1h` and `--since=-1h`: the parser would take the second
 * word of each as a word or flag of its own.
 */
function joinDashes(declared: readonly FlagSpec[], argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const token = argv[index] ?? '';
    if (token === '--') return [...joined, ...argv.slice(index)];
    const flag = declared.find(({ name, type }) => token === `--${name}` && type !== 'boolean');
    const next = argv[index + 1] ?? '';
    if (flag && /^-($|\d)/.test(next)) {
      joined.push(`${token}=${next}`);
      index += 1;
    } else {
      joined.push(keepQuotes(token));
    }
  }
  return joined;
}
