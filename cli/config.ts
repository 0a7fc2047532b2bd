import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Environment {
  /** Where credentials.toml and agent.toml live: `~/.config/service`, or under `XDG_CONFIG_HOME` if that is set. */
  configDirectory: string;
  /** `SERVICE_TOKEN`: the token of every command while it is set. */
  serviceToken: string | undefined;
  /** `SERVICE_ADMIN_TOKEN`: the token of `cli admin`; unset, none is sent. */
  adminToken: string | undefined;
  /** `SERVICE_ENROLLMENT_KEY`: the key of `cli agent run`. */
  enrollmentKey: string | undefined;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case of letters. */
  httpsProxy: string | undefined;
  httpProxy: string | undefined;
  noProxy: string | undefined;
  /** `NODE_EXTRA_CA_CERTS`, which Node itself reads; known here so that `cli doctor` can say so. */
  extraCaFile: string | undefined;
  /** True, false, or undefined where the environment leaves it to the stream. */
  colour: boolean | undefined;
}

/** Reads the environment once; an empty variable counts as unset. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const read = (...names: string[]) =>
    names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
  const home = read('HOME') ?? homedir();
  return {
    configDirectory: join(read('XDG_CONFIG_HOME') ?? join(home, '.config'), 'service'),
    serviceToken: read('SERVICE_TOKEN'),
    adminToken: read('SERVICE_ADMIN_TOKEN'),
    enrollmentKey: read('SERVICE_ENROLLMENT_KEY'),
    httpsProxy: read('HTTPS_PROXY', 'https_proxy'),
    httpProxy: read('HTTP_PROXY', 'http_proxy'),
    noProxy: read('NO_PROXY', 'no_proxy'),
    extraCaFile: read('NODE_EXTRA_CA_CERTS'),
    colour: colourWish(read),
  };
}

function colourWish(read: (name: string) => string | undefined): boolean | undefined {
  if (read('NO_COLOR') !== undefined) return false;
  const forced = read('FORCE_COLOR') ?? read('CLICOLOR_FORCE');
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return read('TERM') === 'dumb' ? false : undefined;
}
