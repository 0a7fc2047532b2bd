import proxyaddr from 'proxy-addr';
import { tokenKindOf } from './kernel/tokens.ts';
import { hostsOf } from './platform/db/hosts.ts';

/* How the texts of settings are read. Each returns undefined for a text that is not valid. */

/** Calls per second and token, with a burst of five times as many. */
export interface RateLimits {
  readsPerSecond: number;
  writesPerSecond: number;
}

export function parseSwitch(text: string): boolean | undefined {
  return text === '1' ? true : text === '0' ? false : undefined;
}

export function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined;
}

export function parsePool(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) >= 2 && Number(text) <= 500 ? Number(text) : undefined;
}

export function parseHttpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && ['http:', 'https:'].includes(url.protocol) && !url.search && !url.hash && !url.username;
  return plain ? url.href.replace(/\/$/, '') : undefined;
}

export function parsePostgresUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) && hostsOf(text) ? text : undefined;
}

export const secretsWanted =
  'one or two values (separated by a comma) of 32 to 512 characters without spaces, and no svc_ token';

export function parseStandbyUrl(text: string): string | undefined {
  return hostsOf(text)?.length === 1 ? parsePostgresUrl(text) : undefined;
}

export function parseSecrets(text: string): string[] | undefined {
  const values = text.split(',');
  // A value in the format of another token would be treated as that token.
  const isGood = (value: string) => /^[!-~]{32,512}$/.test(value) && tokenKindOf(value) === undefined;
  return values.length <= 2 && values.every(isGood) ? values : undefined;
}

export function parseRateLimits(text: string): { limits: RateLimits | undefined } | undefined {
  if (text === 'off') return { limits: undefined };
  const [, reads, writes] = /^([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(text) ?? [];
  return reads && writes ? { limits: { readsPerSecond: Number(reads), writesPerSecond: Number(writes) } } : undefined;
}

export function parseDays(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_650 ? Number(text) : undefined;
}

export const parseDaysOrOff = (text: string): { days: number | undefined } | undefined => {
  if (text === 'off') return { days: undefined };
  const days = parseDays(text);
  return days === undefined ? undefined : { days };
};

export function parseGigabytes(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= 100_000 ? Number(text) * 1e9 : undefined;
}

export function parseProxies(text: string): ((address: string, hop: number) => boolean) | undefined {
  try {
    return proxyaddr.compile(text.split(',').map((range) => range.trim()));
  } catch {
    return undefined;
  }
}
