import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

/** The account that shells run as. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
  home: string;
  /** The login shell. */
  shell: string;
  /** It is not the agent's own account. */
  isOther: boolean;
}

const usualShell = '/bin/sh';
const askWithinMs = 5_000;
/** Switches to the user with all of its groups; node-pty's own switch would keep the agent's groups. */
export const setprivProgram = 'setpriv';

/**
 * The account with this name; the agent's own when undefined. Rejects with a readable message when the account does not
 * exist, or when the agent may not switch to it.
 */
export async function accountOf(name: string | undefined): Promise<Account> {
  const own = ownAccount();
  if (name === undefined || name === own.name) return own;
  const account = await lookUp(name);
  if (!account) throw new Error(`user "${name}" not found on this machine`);
  if (account.uid === own.uid) return { ...account, isOther: false };
  if (own.uid !== 0) throw new Error(`only an agent that runs as root can open shells as "${name}"`);
  await promisify(execFile)(setprivProgram, ['--version'], { timeout: askWithinMs }).catch((error: unknown) => {
    throw new Error(`to open shells as "${name}" the program ${setprivProgram} (util-linux) is needed`, {
      cause: error,
    });
  });
  return { ...account, isOther: true };
}

function ownAccount(): Account {
  try {
    const { username: name, uid, gid, homedir: home, shell } = userInfo();
    return { name, uid, gid, home, shell: shell ?? usualShell, isOther: false };
  } catch {
    // A container may run as a uid that has no name.
    const uid = process.getuid?.() ?? 0;
    return { name: String(uid), uid, gid: process.getgid?.() ?? 0, home: '/', shell: usualShell, isOther: false };
  }
}

/** Looks in `/etc/passwd` first, then in the machine's other account databases. */
async function lookUp(name: string): Promise<Account | undefined> {
  const found = parse(name, await readFile('/etc/passwd', 'utf8').catch(() => ''));
  if (found) return found;
  const asked = promisify(execFile)('getent', ['passwd', '--', name], { timeout: askWithinMs });
  return parse(name, await asked.then(({ stdout }) => stdout).catch(() => ''));
}

function parse(name: string, text: string): Account | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${name}:`));
  if (line === undefined) return undefined;
  const [, , uid, gid, , home = '', shell = ''] = line.trim().split(':');
  return {
    name,
    uid: Number(uid),
    gid: Number(gid),
    home: home || '/',
    shell: shell || usualShell,
    isOther: true,
  };
}
