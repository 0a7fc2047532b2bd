import type { Environment } from '../command-line/config.ts';
import { CliError, usage } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { defaultProfile } from '../files/profiles.ts';
import { looseMode } from '../files/toml-file.ts';
import { hostOf } from '../transport/http.ts';
import { missingProfile, profileOf, savedIn, type Profile } from './profile.ts';
import type { Invocation } from '../command-line/command-spec.ts';

export const defaultBaseUrl = 'http://127.0.0.1:8080';

/** Target and credentials of calls, each with its source, for messages. */
export interface ApiAccess {
  /** Without a trailing slash. */
  baseUrl: string;
  baseUrlFrom: string;
  token: string | undefined;
  /** The org that calls name; default: none, which is enough for a token of one org. */
  orgId?: string;
  /** `SERVICE_TOKEN`, the profile's file, or `nowhere`. */
  tokenFrom: string;
  profile: Profile;
}

/**
 * Base URL: flag, else the profile's file, else the default. Token: the file of a profile that a flag names, else
 * SERVICE_TOKEN, else the file of the profile. Warns if other users can read the file.
 */
export async function connectionOf(call: Invocation): Promise<ApiAccess> {
  const { flags, environment, io } = call;
  const profile = await profileOf(call);
  const { path, file } = profile;
  const credentials = await savedIn(profile);
  if (!credentials && profile.name !== defaultProfile) throw await missingProfile(call, profile);
  const loose = credentials && (await looseMode(path));
  if (loose !== undefined) io.note(`Warning: ${path} is open to other users (${loose}). Run: chmod 600 ${path}`);
  const saved = { token: credentials?.token, from: file };
  const set = { token: environment.serviceToken, from: 'SERVICE_TOKEN' };
  const candidates = profile.from === '--profile' ? [saved, set] : [set, saved];
  const { token, from } = candidates.find((candidate) => candidate.token !== undefined) ?? {
    token: undefined,
    from: '',
  };
  return {
    ...baseUrlOf(flags.text('base-url'), credentials?.baseUrl, file),
    token: token === undefined ? undefined : checkedToken(token, from),
    tokenFrom: token === undefined ? 'nowhere' : from,
    profile,
  };
}

/** `file` is the source of `saved`. */
export function baseUrlOf(
  flag: string | undefined,
  saved: string | undefined,
  file: string,
): Pick<ApiAccess, 'baseUrl' | 'baseUrlFrom'> {
  if (flag !== undefined) return { baseUrl: checkedBaseUrl(flag, '--base-url'), baseUrlFrom: '--base-url' };
  if (saved !== undefined) return { baseUrl: checkedBaseUrl(saved, file), baseUrlFrom: file };
  return { baseUrl: defaultBaseUrl, baseUrlFrom: 'the default' };
}

/** Throws a usage error that names the URL's source. */
export function checkedBaseUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const right =
    url &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password;
  if (!right)
    throw usage(
      `${from}: "${text}" is not an http or https address`,
      'Use an address such as https://fleet.example.com',
    );
  return url.href.replace(/\/+$/, '');
}

/** A token is one word of visible ASCII; anything else would break the header. */
export function checkedToken(text: string, from: string): string {
  const token = text.trim();
  if (/^[!-~]{1,512}$/.test(token)) return token;
  const isShortened = /\u2026|\.\.\.$/.test(token);
  throw new CliError(
    `the token of ${from} ${isShortened ? 'is abbreviated (…)' : 'contains spaces or invisible characters'}`,
    {
      code: 'unauthorized',
      exit: exitCode.auth,
      hint: isShortened
        ? 'Use the whole value, as it was shown when it was created'
        : 'Sign in with: cli login --token <token>',
    },
  );
}

/** The proxy for a URL, by the usual variables; none for loopback addresses. */
export function proxyFor(url: URL, { httpProxy, httpsProxy, noProxy }: Environment): URL | undefined {
  const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy;
  if (proxy === undefined || isLoopback(url.hostname) || isExempt(url, noProxy)) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (!URL.canParse(address) || new URL(address).protocol !== 'http:') {
    throw usage(`the proxy "${proxy}" is not an http:// address`, 'Correct HTTP_PROXY and HTTPS_PROXY, or unset them');
  }
  return new URL(address);
}

export const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

function isExempt(url: URL, noProxy: string | undefined): boolean {
  const entries = (noProxy ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => {
    const name = entry.replace(/^\*?\./, '').toLowerCase();
    const isHost = [url.host, url.hostname, hostOf(url)].includes(name);
    return entry === '*' || isHost || url.hostname.endsWith(`.${name}`);
  });
}
