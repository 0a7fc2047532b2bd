/**
 * JSON text without NUL and half surrogate pairs, on which Postgres' jsonb and many readers choke, in names as well as in values: each becomes
 * U+FFFD. JSON.stringify writes both as escapes, in lower case, and a backslash of the text itself as two.
 */
export function harmlessJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replace(/\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g, (escape) => (escape === '\\\\' ? escape : '\ufffd'));
}
