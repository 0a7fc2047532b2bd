/** One server of a postgres:// address. */
export interface Host {
  url: string; // of this server alone
  host: string;
  port: number;
}

const addressPattern = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)([^#]*)$/;
const usualPort = 5432;
/** What libpq calls a session with the primary. */
const primaryAttributes = new Set(['any', 'primary', 'read-write']);

/**
 * The servers of a postgres:// address, which may name several, separated by commas, as for libpq. Undefined if it is
 * invalid. An address of one server is returned as it is.
 */
export function hostsOf(url: string): Host[] | undefined {
  const [, start = '', names = '', rest = ''] = addressPattern.exec(url) ?? [];
  if (!names.includes(',')) return URL.canParse(url) ? [{ url, host: '', port: 0 }] : undefined;
  const hosts = names.split(',').map((name) => hostOf(`${start}${name}${rest}`));
  return hosts.every((each) => each !== undefined) ? hosts : undefined;
}

function hostOf(text: string): Host | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const attributes = url.searchParams.get('target_session_attrs') ?? 'any';
  if (url.hostname === '' || !primaryAttributes.has(attributes)) return undefined;
  url.searchParams.delete('target_session_attrs');
  return { url: url.href, host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || usualPort) };
}
