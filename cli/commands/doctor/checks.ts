import { access } from 'node:fs/promises';
import { lookup } from 'node:dns/promises';
import { apiOf, exchange, headerOf, type Api } from '../../api/api.ts';
import { hostOf, type HttpReply } from '../../transport/http.ts';
import { caCertificatesOf } from '../../api/ca-certificates.ts';
import { isLoopback, proxyFor, type ApiAccess } from '../../api/connection.ts';
import { CliError } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { endsSoon, tokenWarning } from '../expiry.ts';
import { fail, ok, warn, type Check } from './check.ts';

/** A clock offset of this size breaks signatures and expiry. */
const skewWarnMs = 30_000;
const skewFailMs = 300_000;

export async function checkEnvironment(call: Invocation, url: URL): Promise<Check> {
  const { environment, flags } = call;
  const { extraCaFile } = environment;
  const reachable =
    extraCaFile === undefined ||
    (await access(extraCaFile).then(
      () => true,
      () => false,
    ));
  if (!reachable)
    return fail('environment', `NODE_EXTRA_CA_CERTS names ${extraCaFile}, which cannot be read. Correct or unset it`);
  try {
    const proxy = proxyFor(url, environment);
    await caCertificatesOf(call);
    const files = Object.entries({ NODE_EXTRA_CA_CERTS: extraCaFile, '--ca-file': flags.text('ca-file') });
    const authority = files.map(([name, file]) => (file === undefined ? '' : `; ${name} is ${file}`)).join('');
    return proxy
      ? warn(
          'environment',
          `calls go through the proxy ${proxy.host}${authority}. If they should not: set NO_PROXY=${url.hostname}`,
        )
      : ok('environment', `no proxy${authority}`);
  } catch (error) {
    return fail('environment', textOf(error));
  }
}

export async function checkName(url: URL): Promise<Check> {
  const host = hostOf(url);
  try {
    const addresses = await lookup(host, { all: true });
    return ok('dns', `${host} is ${addresses.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return fail('dns', `no address found for ${host} (${textOf(error)}). Check the spelling and the name server`);
  }
}

export function checkEncryption(url: URL): Check {
  if (url.protocol === 'https:') return ok('encryption', 'https');
  return isLoopback(url.hostname)
    ? ok('encryption', 'http, on this machine only')
    : warn('encryption', 'http: others on the network can read the token. Use an https address');
}

/** One response shows whether the service is reachable, its clock and its version. */
export async function checkService(call: Invocation, connection: ApiAccess): Promise<Check[]> {
  let reply: HttpReply;
  try {
    const url = `${connection.baseUrl}/openapi.json`;
    reply = await exchange(call, { ...connection, token: undefined }, { method: 'GET', url });
  } catch (error) {
    return [fail('connection', textOf(error))];
  }
  const version = contractVersion(reply);
  if (version === undefined)
    return [
      fail(
        'connection',
        `${connection.baseUrl} responds with ${reply.status}, but is not this service. Check the address`,
      ),
    ];
  return [
    ok('connection', `${connection.baseUrl} answers`),
    checkClock(headerOf(reply, 'date')),
    checkVersion(version, call.version),
  ];
}

function checkClock(date: string | undefined): Check {
  // The header has whole seconds: adding half a second centers the error.
  const skewMs = Math.round(Date.now() - Date.parse(date ?? '') - 500);
  if (Number.isNaN(skewMs)) return warn('clock', 'the service sent no Date header; the clocks cannot be compared');
  const text = `this machine is ${Math.abs(Math.round(skewMs / 1000))} s ${skewMs < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(skewMs) < skewWarnMs) return ok('clock', text);
  return (Math.abs(skewMs) < skewFailMs ? warn : fail)('clock', `${text}. Set the clock, for example with NTP`);
}

function checkVersion(served: string, own: string): Check {
  const text = `the service has contract ${served}, this client ${own}`;
  const line = (version: string) =>
    version
      .split('.')
      .slice(0, version.startsWith('0.') ? 2 : 1)
      .join('.');
  return line(served) === line(own)
    ? ok('version', text)
    : warn('version', `${text}. Use the client of the service’s version`);
}

/** The token's identity, and whether the response has the org in its header. */
export async function checkToken(call: Invocation): Promise<Check[]> {
  try {
    const api = await apiOf(call);
    const { body, orgId } = await api.get('/api/whoami', {});
    const { role, org, user, token } = body.data;
    const expiry = token.expires_at === undefined ? '' : `, until ${token.expires_at}`;
    const text = `${user?.email ?? 'the org'} (${role}) by ${api.connection.tokenFrom}${expiry}`;
    const warning = tokenWarning(token.expires_at);
    const who = warning === undefined ? ok('token', text) : warn('token', `${text}. ${warning}`);
    const keys = await checkKeys(api).catch(() => []);
    if (orgId === org.id) return [who, ok('org', `${org.name} (${org.id})`), ...keys];
    return [
      who,
      ...keys,
      warn(
        'org',
        `the header X-Service-Org-Id ${orgId === undefined ? 'is missing' : 'names another org'}: does a proxy drop or cache headers?`,
      ),
    ];
  } catch (error) {
    return [fail('token', textOf(error))];
  }
}

/** A warning if enrollment keys that can still enroll robots end within 14 days. */
async function checkKeys(api: Api): Promise<Check[]> {
  const { items } = (await api.get('/api/enrollment-keys', {})).body;
  const ending = items.filter(
    ({ revoked_at, expires_at, uses, max_uses }) =>
      revoked_at === undefined && endsSoon(expires_at) && uses < (max_uses ?? Infinity),
  );
  const [first] = ending.sort((one, other) => ((one.expires_at ?? '') < (other.expires_at ?? '') ? -1 : 1));
  if (!first) return [];
  const name = first.label ?? `…${first.last_four}`;
  const count = ending.length === 1 ? '1 key expires' : `${ending.length} keys expire`;
  const next = 'List them with: cli keys list. Replace one with: cli keys new';
  return [warn('keys', `${count} within 14 days, first ${name} at ${first.expires_at ?? ''}. ${next}`)];
}

function contractVersion(reply: HttpReply): string | undefined {
  try {
    const { info } = JSON.parse(reply.body.toString('utf8')) as { info?: { version?: unknown } };
    return typeof info?.version === 'string' ? info.version : undefined;
  } catch {
    return undefined;
  }
}

export function textOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof CliError && error.hint !== undefined ? `${message}. ${error.hint}` : message;
}
