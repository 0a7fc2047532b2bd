import { accessSync, constants, statSync } from 'node:fs';
import { setprivProgram, type Account } from './account.ts';
import type { ProgramStart } from './program.ts';

/** What a viewer requests. */
export interface ShellRequest {
  sessionId: string;
  /** Default: the login shell. */
  command: readonly string[] | undefined;
  /** The value of `TERM`. */
  term: string;
  columns: number;
  rows: number;
}

const usualPath = '/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games';
const rootsPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * How to start the request as that account. The agent's environment may hold its key: only its language is passed on.
 */
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
    ...(isOther ? { file: setprivProgram, args: change } : { file, args }),
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
