import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const hostCommand = fileURLToPath(new URL('../../dist/server/fleet-control-service.js', import.meta.url));

/** Words before a command that run it as root without its rights to other accounts' files. */
export const asOthers = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];

interface Result {
  exitCode: number; // -1 after a signal
  stdout: string;
  stderr: string;
}

/** Runs the built command of the host with a data folder, and with only PATH of this environment. */
export function command(dataDir: string, ...args: string[]): Promise<Result> {
  return commandWith({ SERVICE_DATA_DIR: dataDir }, ...args);
}

export const commandWith = (env: Record<string, string>, ...args: string[]): Promise<Result> =>
  startCommand(env, args).ended;

/** Starts it without waiting for its end. `before`: words before the command, such as to run it as another user. */
export function startCommand(env: Record<string, string>, args: readonly string[], before: readonly string[] = []) {
  const [program = '', ...words] = [...before, process.execPath, hostCommand, ...args];
  let exited: (result: Result) => void;
  const ended = new Promise<Result>((resolve) => (exited = resolve));
  const child = execFile(program, words, { env: { PATH: process.env['PATH'], ...env } }, (_error, stdout, stderr) =>
    exited({ exitCode: child.exitCode ?? -1, stdout, stderr }),
  );
  return { child, ended };
}
