/** Names already written, with their colons. */
const written = new Map<string, string>();
const maxWritten = 1_000;
/** Texts that JSON writes as they are, between quotes. */
const bare = /^[ !#-[\]-~]*$/;

/**
 * Canonical JSON (RFC 8785): members ordered by the UTF-16 code units of their names, no whitespace. Accepts results of
 * `JSON.parse`. `without`: a member of the value itself that is left out. Not the code of the service, which it verifies.
 */
export function canonicalJson(value: unknown, without?: string): string {
  if (typeof value === 'string') return bare.test(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each)).join(',')}]`;
  let text = '';
  for (const name of Object.keys(value).sort())
    if (name !== without)
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
