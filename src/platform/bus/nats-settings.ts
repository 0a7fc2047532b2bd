import { isIP } from 'node:net';

/** Where NATS is, and how this service proves who it is. */
export interface NatsSettings {
  servers: readonly string[]; // NATS_URL: host:port of each
  isTls: boolean; // NATS_URL with tls://
  user: string | undefined; // NATS_URL with user:password@
  password: string | undefined;
  token: string | undefined; // NATS_URL with token@
  credentialsFile: string | undefined; // NATS_CREDENTIALS: a user's JWT and seed
  caFile: string | undefined; // NATS_CA, unset: the authorities that Node trusts
  certFile: string | undefined; // NATS_CERT: the client's own certificate, and
  keyFile: string | undefined; // NATS_KEY
}

const wanted =
  'one or more addresses of the form nats://host:port or tls://host:port, separated by commas, all with the same scheme and credentials';

/** Settings of NATS; undefined without NATS_URL. Adds a sentence to `problems` for each that is invalid. */
export function readNats(env: Record<string, string | undefined>, problems: string[]): NatsSettings | undefined {
  const [urls, credentialsFile, caFile, certFile, keyFile] = [
    'NATS_URL',
    'NATS_CREDENTIALS',
    'NATS_CA',
    'NATS_CERT',
    'NATS_KEY',
  ].map((name) => env[name] || undefined);
  const files = { credentialsFile, caFile, certFile, keyFile };
  if (urls === undefined) {
    if (Object.values(files).some((file) => file !== undefined))
      problems.push('NATS_URL must be set when NATS_CREDENTIALS, NATS_CA, NATS_CERT or NATS_KEY is');
    return undefined;
  }
  const address = parseAddresses(urls);
  if (!address) problems.push(`NATS_URL must be ${wanted}`);
  if ((certFile === undefined) !== (keyFile === undefined))
    problems.push('NATS_CERT and NATS_KEY must be set together, or neither');
  if (address && !address.isTls && (caFile ?? certFile) !== undefined)
    problems.push('NATS_URL must be a tls:// address when NATS_CA or NATS_CERT is set');
  if (address?.isTls && address.servers.some((server) => isIP(server.replace(/:\d+$/, '').replace(/[[\]]/g, '')) !== 0))
    problems.push('NATS_URL must have the name of each host, as in its certificate, with tls://');
  if (address && credentialsFile !== undefined && (address.user ?? address.token) !== undefined)
    problems.push('NATS_URL must have no user or token when NATS_CREDENTIALS is set');
  return { ...(address ?? none), ...files };
}

const none = { servers: [], isTls: false, user: undefined, password: undefined, token: undefined };

function parseAddresses(text: string) {
  const urls = text.split(',').map((each) => each.trim());
  if (!urls.every((each) => URL.canParse(each))) return undefined;
  const parsed = urls.map((each) => new URL(each));
  const [first] = parsed;
  if (!first) return undefined;
  const isGood = ({ protocol, username, password, hostname, pathname, search, hash }: URL) =>
    /^(nats|tls):$/.test(protocol) &&
    hostname !== '' &&
    /^\/?$/.test(pathname) &&
    search === '' &&
    hash === '' &&
    protocol === first.protocol &&
    username === first.username &&
    password === first.password;
  if (!parsed.every(isGood)) return undefined;
  const [user, password] = [decoded(first.username), decoded(first.password)];
  if (user === undefined || password === undefined) return undefined;
  const hasPassword = first.password !== '';
  return {
    servers: parsed.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    isTls: first.protocol === 'tls:',
    user: hasPassword ? user : undefined,
    password: hasPassword ? password : undefined,
    token: user !== '' && !hasPassword ? user : undefined,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
