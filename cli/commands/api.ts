import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { adminConnectionOf, exchange, headerOf, signedInOrg } from '../api/api.ts';
import { headRefusal, refusal } from '../api/api-errors.ts';
import { isKeyed } from '../client/keyed-paths.ts';
import { CliError, usage } from '../command-line/errors.ts';
import { readAll } from '../command-line/io.ts';
import { writeRaw } from '../output/render.ts';
import { safeText } from '../output/safe.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import type { HttpReply } from '../transport/http.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
/** For these methods `--field` values go into the query. */
const withoutBody = ['GET', 'HEAD', 'DELETE'];

/**
 * Sends one request to any route, with the token for that route. Prints the response body unchanged, also on an error.
 * A request that requires an Idempotency-Key gets a new one.
 */
export async function callApi(call: Invocation): Promise<void> {
  const [given = '', path = ''] = call.args;
  const method = given.toUpperCase();
  if (!methods.includes(method)) throw usage(`unknown HTTP method "${given}"`, `Methods: ${methods.join(', ')}`);
  if (!path.startsWith('/'))
    throw usage(`the path "${path}" does not start with a slash`, 'Use a path such as /api/sites');
  const fields = call.flags.texts('field').map(fieldOf);
  const input = call.flags.text('input');
  if (input !== undefined && fields.length > 0)
    throw usage('--input and --field exclude each other', 'Use one of the two');
  const toQuery = withoutBody.includes(method);
  const body = input === undefined ? bodyOf(toQuery ? [] : fields) : await inputOf(call, input);
  const connection = path.startsWith('/api/admin/') ? await adminConnectionOf(call) : await signedInOrg(call);
  const url = `${connection.baseUrl}${toQuery ? withQuery(path, fields) : path}`;
  const headers = method === 'POST' && isKeyed(url) ? { 'Idempotency-Key': randomUUID() } : {};
  const reply = await exchange(call, connection, { method, url, body, headers });
  const refused = reply.status >= 300;
  // With --json the error report prints the body.
  if (reply.body.length > 0 && !(refused && call.flags.on('json'))) writeBody(call, reply);
  if (refused) throw (method === 'HEAD' ? headRefusal : refusal)(reply, connection, path);
}

/** JSON is followed by a line feed. Anything else is written as it came: the SHA-256 of a file must not change. */
function writeBody(call: Invocation, reply: HttpReply): void {
  if (headerOf(reply, 'content-type')?.startsWith('application/json')) return writeRaw(call, reply.body);
  const { out } = call.io;
  out.write(out.tty ? safeText(reply.body.toString('utf8')) : reply.body);
}

/** `key=value` is text, `key:=value` is JSON. */
function fieldOf(text: string): [key: string, value: unknown] {
  const [, key, json, value] = /^([^=:]+)(:?)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw usage(
      `"${text}" is not key=value or key:=json`,
      'Use a value such as -f name=Osaka or -f labels:=\'{"line":"2"}\'',
    );
  if (json === '') return [key, value];
  try {
    return [key, JSON.parse(value)];
  } catch {
    throw usage(`"${value}" is not valid JSON`, `Send text without the colon: ${key}=<text>`);
  }
}

const bodyOf = (fields: readonly [string, unknown][]) =>
  fields.length === 0 ? undefined : JSON.stringify(Object.fromEntries(fields));

function withQuery(path: string, fields: readonly [string, unknown][]): string {
  if (fields.length === 0) return path;
  const query = fields.map(
    ([key, value]) =>
      `${encodeURIComponent(key)}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
}

async function inputOf({ io }: Invocation, input: string): Promise<Buffer> {
  if (input === '-') return readAll(io.input);
  return readFile(input).catch((error: unknown) => {
    throw new CliError(`cannot read ${input}: ${(error as Error).message}`, { code: 'bad_request', cause: error });
  });
}
