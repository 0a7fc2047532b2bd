import { spawn } from 'node:child_process';
import type { Account } from './types.ts';
import type { Binaries } from './binaries.ts';

/**
 * The whole environment of every Postgres process. Nothing is inherited, so no secret shows in /proc and no PG*
 * variable changes a setting. The C locale makes messages parseable; TZ saves initdb the search for the machine's time
 * zone.
 */
export function programEnv(binaries: Binaries): Record<string, string> {
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(binaries.libraryDir === undefined ? {} : { [name]: binaries.libraryDir }),
  };
}

/** Runs one program to its end under an account. If it cannot be started, the exit code is 127, as in a shell. */
export function runProgram(
  account: Account,
  binaries: Binaries,
  program: string,
  args: readonly string[],
): Promise<{ exitCode: number; stderr: string }> {
  const [command = program, ...words] = [...account.prefix, program, ...args];
  return new Promise((resolve) => {
    const child = spawn(command, words, {
      ...account.ids,
      cwd: '/',
      env: programEnv(binaries),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (error) => resolve({ exitCode: 127, stderr: error.message }));
    child.once('close', (code) => resolve({ exitCode: code ?? 128, stderr }));
  });
}
