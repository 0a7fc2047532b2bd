import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Environment {
  /** Folder of credentials.toml and agent.toml: `~/.config/service`, or under `XDG_CONFIG_HOME` if that is set. */
  configDirectory: string;
  /** For data that grows and may be lost: `~/.local/state/service`, or under `XDG_STATE_HOME` if that is set. */
  stateDirectory: string;
  /** For data that may be deleted at any time: `~/.cache/service`, or under `XDG_CACHE_HOME` if that is set. */
  cacheDirectory: string;
  /** `SERVICE_TOKEN`: if set, the token of every command. */
  serviceToken: string | undefined;
  /** `SERVICE_ADMIN_TOKEN`: the token of `cli admin`; if unset, none is sent. */
  adminToken: string | undefined;
  /** `SERVICE_ENROLLMENT_KEY`: the key of `cli agent run`. */
  enrollmentKey: string | undefined;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in upper or lower case. */
  httpsProxy: string | undefined;
  httpProxy: string | undefined;
  noProxy: string | undefined;
  /** `NODE_EXTRA_CA_CERTS`, which Node itself reads; listed here for `cli doctor`. */
  extraCaFile: string | undefined;
  /** `SERVICE_PROFILE`: if set, the profile of every command. */
  profile: string | undefined;
  /** True, false, or undefined if it depends on the stream. */
  colour: boolean | undefined;
  /** The command that pages long lists: `CLI_PAGER`, else `PAGER`, else less; undefined for none. */
  pager: string | undefined;
  pagerFrom: string;
  /** `SERVICE_AGENT_SUPERVISOR`: set by the supervisor of this agent process. */
  isSupervised: boolean;
  /** True if the terminal supports no control sequences: `TERM=dumb`. */
  dumb: boolean;
  /** `SSH_TTY` or `SSH_CONNECTION`: the user is at another machine. */
  isOverSsh: boolean;
  /** `DISPLAY` or `WAYLAND_DISPLAY`: a window can open. */
  hasDisplay: boolean;
  /** `TERM`, if it is the name of a terminal; for a robot's programs that draw on this one. */
  terminalType: string | undefined;
  /** The terminal's graphics protocol; undefined if none is known, and in tmux, which passes neither on. */
  graphics: 'kitty' | 'iterm' | undefined;
  /** The terminal has all colours, not only 256. */
  hasAllColours: boolean;
  /** The terminal has at least 256 colours, not only the 16 named ones. */
  hasManyColours: boolean;
  /** The terminal shows UTF-8, by `LC_ALL`, else `LC_CTYPE`, else `LANG`. */
  isUtf8: boolean;
  /** The first of these variables that is set and not empty; names the source of a value. */
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
    cacheDirectory: join(read('XDG_CACHE_HOME') ?? join(home, '.cache'), 'service'),
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
    // tmux converts colours to those of its own terminal.
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

/** The pager's environment: the current one, plus options for colours and short lists unless `LESS` is set. */
export const pagerEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({ LESS: 'FIRX', ...env });

/** The environment of the agent's child processes: without the agent's own variables, above all its keys and tokens. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const entries = Object.entries(env).filter(([name]) => !name.startsWith('SERVICE_'));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/**
 * The environment of a `cli` line that acts as the current user: with this token and profile, even if their files
 * change.
 */
export const signedInEnvironment = (
  { token, profile }: { token: string | undefined; profile: string },
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => ({ ...env, SERVICE_PROFILE: profile, ...(token !== undefined && { SERVICE_TOKEN: token }) });

/** The environment of a supervised agent: all of this process, and the supervisor's mark. */
export const supervisedEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...env,
  SERVICE_AGENT_SUPERVISOR: String(process.pid),
});

/** Here an empty variable counts: it turns the pager off, as `cat` does. */
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
