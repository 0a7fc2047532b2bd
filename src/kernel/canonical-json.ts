/** Names already written, with their colons. */
const written = new Map<string, string>();
const maxWritten = 1_000;
/** Texts that JSON writes as they are, between quotes. */
const bare = /^[ !#-[\]-~]*$/;

/**
 * Canonical JSON as in RFC 8785: members sorted by the UTF-16 units of their names, no whitespace, texts and numbers as
 * JavaScript writes them. Accepts results of `JSON.parse`.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return bare.test(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const name of Object.keys(value).sort())
    text += (text === '' ? '{' : ',') + nameOf(name) + canonicalJson((value as Record<string, unknown>)[name]);
  return text === '' ? '{}' : `${text}}`;
}

function nameOf(name: string): string {
  const known = written.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (written.size < maxWritten) written.set(name, text);
  return text;
}
