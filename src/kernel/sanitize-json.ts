/**
 * JSON text without NUL and lone surrogates, which Postgres' jsonb and many readers cannot handle, in names and in
 * values. Each becomes U+FFFD. JSON.stringify writes both as lower-case escapes, and a backslash of the text itself as
 * two.
 */
export function sanitizeJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replace(/\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g, (escape) => (escape === '\\\\' ? escape : '\ufffd'));
}
