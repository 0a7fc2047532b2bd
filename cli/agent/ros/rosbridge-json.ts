/** A text, or a number, or what Python writes in place of numbers that JSON lacks. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g;
/** Whether there may be such a one: fewer digits than these are exact. */
const suspicious = /\d{16}|NaN|Infinity/;

/** JSON with integers beyond 2^53, NaN and infinities as texts: a number of JavaScript would be another one. @throws SyntaxError */
export function exactJson(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(tokens, (token) => (isExact(token) ? token : `"${token}"`)));
}

const isExact = (token: string) =>
  token.startsWith('"') || (!/[NI]/.test(token) && (/[.eE]/.test(token) || Number.isSafeInteger(Number(token))));

/** A type as rosapi details it; one is not an array with -1, of any length with 0. */
interface Details {
  type: string;
  fieldnames: string[];
  fieldtypes: string[];
  fieldarraylen: number[];
}

/** Puts the bytes into a message in which rosbridge wrote them in base64, and 64-bit integers in place of numbers; does nothing for other values. */
export type Restore = (message: unknown) => unknown;

/** @throws Error where the answer is not that of rosapi */
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
