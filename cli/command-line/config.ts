import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Environment {
  /** Where credentials.toml and agent.toml live: `~/.config/service`, or under `XDG_CONFIG_HOME` if that is set. */
  configDirectory: string;
  /** What grows and may be lost: `~/.local/state/service`, or under `XDG_STATE_HOME` if that is set. */
  stateDirectory: string;
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
  /** `SERVICE_PROFILE`: the profile of every command while it is set. */
  profile: string | undefined;
  /** True, false, or undefined where the environment leaves it to the stream. */
  colour: boolean | undefined;
  /** The command that long lists go through: `CLI_PAGER`, else `PAGER`, else less; undefined for none. */
  pager: string | undefined;
  pagerFrom: string;
  /** `SERVICE_AGENT_SUPERVISOR`: this process is the agent of another one, which set it. */
  isSupervised: boolean;
  /** True if the terminal obeys no control sequences: `TERM=dumb`. */
  dumb: boolean;
  /** `SSH_TTY` or `SSH_CONNECTION`: who types is at another machine. */
  isOverSsh: boolean;
  /** `DISPLAY` or `WAYLAND_DISPLAY`: there is a screen that a window can open on. */
  hasDisplay: boolean;
  /** `TERM`, where it is the name of a terminal; for the programs of a robot that draw on this one. */
  terminalType: string | undefined;
  /** What the terminal draws pictures by, beside characters; undefined where it is not known to, and in tmux, which passes neither on. */
  graphics: 'kitty' | 'iterm' | undefined;
  /** The terminal has all colours, and not only 256. */
  hasAllColours: boolean;
  /** It has 256 at least, and not only those 16 that are named. */
  hasManyColours: boolean;
  /** It shows UTF-8, by `LC_ALL`, else `LC_CTYPE`, else `LANG`. */
  isUtf8: boolean;
  /** The first of these variables that is set and not empty; for saying where a value comes from. */
  setBy(...names: string[]): string | undefined;
}

const defaultPager = 'less -FIRX';

/** Reads the environment once; an empty variable counts as unset. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const setBy = (...names: string[]) => names.find((name) => env[name] !== undefined && env[name] !== '');
  const read = (...names: string[]) => env[setBy(...names) ?? ''];
  const home = read('HOME') ?? homedir();
  return {
    configDirectory: join(read('XDG_CONFIG_HOME') ?? join(home, '.config'), 'service'),
    stateDirectory: join(read('XDG_STATE_HOME') ?? join(home, '.local', 'state'), 'service'),
    serviceToken: read('SERVICE_TOKEN'),
    adminToken: read('SERVICE_ADMIN_TOKEN'),
    enrollmentKey: read('SERVICE_ENROLLMENT_KEY'),
    httpsProxy: read('HTTPS_PROXY', 'https_proxy'),
    httpProxy: read('HTTP_PROXY', 'http_proxy'),
    noProxy: read('NO_PROXY', 'no_proxy'),
    extraCaFile: read('NODE_EXTRA_CA_CERTS'),
    profile: read('SERVICE_PROFILE'),
    colour: readColour(read),
    pager: readPager(env),
    pagerFrom: ['CLI_PAGER', 'PAGER'].find((name) => env[name] !== undefined) ?? 'the default',
    isSupervised: read('SERVICE_AGENT_SUPERVISOR') !== undefined,
    dumb: isDumb(env),
    isOverSsh: setBy('SSH_TTY', 'SSH_CONNECTION') !== undefined,
    hasDisplay: setBy('DISPLAY', 'WAYLAND_DISPLAY') !== undefined,
    terminalType: /^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,63}$/.exec(read('TERM') ?? '')?.[0],
    graphics: graphicsOf(read),
    // tmux makes of them what its own terminal has.
    hasAllColours: /^(truecolor|24bit)$/.test(read('COLORTERM') ?? '') || setBy('TMUX') !== undefined,
    hasManyColours: setBy('COLORTERM', 'TMUX') !== undefined || /256color|kitty|direct/.test(read('TERM') ?? ''),
    isUtf8: /utf-?8/i.test(read('LC_ALL', 'LC_CTYPE', 'LANG') ?? ''),
    setBy,
  };
}

function graphicsOf(read: (name: string) => string | undefined): Environment['graphics'] {
  const [term = '', program = ''] = [read('TERM'), read('TERM_PROGRAM')];
  if (read('TMUX') !== undefined || /^(tmux|screen)/.test(term)) return undefined;
  if (read('KITTY_WINDOW_ID') !== undefined || term === 'xterm-kitty' || program === 'ghostty') return 'kitty';
  return program === 'iTerm.app' || program === 'WezTerm' ? 'iterm' : undefined;
}

/** What a pager gets to see: the environment as it is, and colours and short lists handled by a less that nobody configured. */
export const pagerEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({ LESS: 'FIRX', ...env });

/** What the agent's child processes get: the environment without what is the agent's own, its keys and tokens above all. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const entries = Object.entries(env).filter(([name]) => !name.startsWith('SERVICE_'));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** What a line of `cli` gets that is to act as who is signed in here: by this token and profile, whatever their files say by then. */
export const signedInEnvironment = (
  { token, profile }: { token: string | undefined; profile: string },
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => ({ ...env, SERVICE_PROFILE: profile, ...(token !== undefined && { SERVICE_TOKEN: token }) });

/** What an agent under a supervisor gets: all of this process, and that it has one. */
export const supervisedEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...env,
  SERVICE_AGENT_SUPERVISOR: String(process.pid),
});

/** Unlike elsewhere an empty variable counts: it turns the pager off, as `cat` does. */
function readPager(env: NodeJS.ProcessEnv): string | undefined {
  const command = (env['CLI_PAGER'] ?? env['PAGER'] ?? defaultPager).trim();
  return command === '' || command === 'cat' || isDumb(env) ? undefined : command;
}

const isDumb = (env: NodeJS.ProcessEnv) => env['TERM'] === 'dumb';

function readColour(read: (name: string) => string | undefined): boolean | undefined {
  if (read('NO_COLOR') !== undefined) return false;
  const forced = read('FORCE_COLOR') ?? read('CLICOLOR_FORCE');
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return read('TERM') === 'dumb' ? false : undefined;
}
