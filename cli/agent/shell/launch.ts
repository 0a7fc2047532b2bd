import { accessSync, constants, statSync } from 'node:fs';
import { switcher, type Account } from './account.ts';
import type { ProgramStart } from './program.ts';

/** What a viewer asks for. */
export interface ShellRequest {
  sessionId: string;
  /** Default: the login shell. */
  command: readonly string[] | undefined;
  /** What `TERM` is. */
  term: string;
  columns: number;
  rows: number;
}

const usualPath = '/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games';
const rootsPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** How that is started as that account. Nothing of the agent's own environment goes along, which may hold its key, but the language. */
export function launchOf(
  account: Account,
  request: ShellRequest,
  language: string | undefined,
  killsAll: boolean,
): ProgramStart {
  const { name, uid, gid, home, shell, isOther } = account;
  const [file = shell, ...args] = request.command ?? [shell, '-l'];
  const change = ['--reuid', String(uid), '--regid', String(gid), '--init-groups', '--', file, ...args];
  return {
    ...(isOther ? { file: switcher, args: change } : { file, args }),
    cwd: isEnterable(home) ? home : '/',
    environment: {
      PATH: uid === 0 ? rootsPath : usualPath,
      HOME: home,
      USER: name,
      LOGNAME: name,
      SHELL: shell,
      LANG: language ?? 'C.UTF-8',
      TERM: request.term,
      SVC_SESSION_ID: request.sessionId,
    },
    columns: request.columns,
    rows: request.rows,
    owner: isOther ? { uid, gid } : undefined,
    killsAll,
  };
}

function isEnterable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
