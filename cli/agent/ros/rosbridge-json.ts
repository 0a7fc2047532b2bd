/** A string, a number, or what Python writes for numbers that JSON lacks. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g;
/** The text may hold an inexact number: fewer than 16 digits are exact. */
const suspicious = /\d{16}|NaN|Infinity/;

/**
 * Parses JSON. Integers beyond 2^53, NaN and infinities become strings: a JavaScript number would change them. @throws
 * SyntaxError
 */
export function exactJson(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(tokens, (token) => (isExact(token) ? token : `"${token}"`)));
}

const isExact = (token: string) =>
  token.startsWith('"') || (!/[NI]/.test(token) && (/[.eE]/.test(token) || Number.isSafeInteger(Number(token))));

/** A type as rosapi describes it. `fieldarraylen` is -1 for no array, and 0 for an array of any length. */
interface Details {
  type: string;
  fieldnames: string[];
  fieldtypes: string[];
  fieldarraylen: number[];
}

/**
 * Restores bytes that rosbridge wrote in base64, and 64-bit integers in place of numbers; leaves other values
 * unchanged.
 */
export type Restore = (message: unknown) => unknown;

/** @throws Error when the response is not from rosapi */
export function restoreBy(typedefs: readonly Details[]): Restore {
  const byType = new Map(typedefs.map((each) => [each.type, each]));
  const [root] = typedefs;

  function value(type: string, isArray: boolean, was: unknown): unknown {
    if (isArray && (type === 'uint8' || type === 'char' || type === 'byte'))
      return typeof was === 'string' ? Uint8Array.from(Buffer.from(was, 'base64')) : was;
    if (isArray && Array.isArray(was)) return was.map((each) => value(type, false, each));
    if (/^u?int64$/.test(type) && (typeof was === 'number' || typeof was === 'string')) return BigInt(was);
    const details = byType.get(type);
    return details ? fields(details, was) : was;
  }

  function fields({ fieldnames, fieldtypes, fieldarraylen }: Details, was: unknown): unknown {
    if (typeof was !== 'object' || was === null) return was;
    const all = was as Record<string, unknown>;
    const typeOf = new Map(fieldnames.map((name, index) => [name, index]));
    return Object.fromEntries(
      Object.entries(all).map(([name, each]) => {
        const index = typeOf.get(name);
        if (index === undefined) return [name, each];
        return [name, value(fieldtypes[index] ?? '', (fieldarraylen[index] ?? -1) >= 0, each)];
      }),
    );
  }

  return (message) => (root ? fields(root, message) : message);
}
