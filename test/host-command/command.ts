import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const hostCommand = fileURLToPath(new URL('../../dist/server/fleet-control-service.js', import.meta.url));

interface Result {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the built command of the host with a data folder, and with only PATH of this environment. */
export function command(dataDir: string, ...args: string[]): Promise<Result> {
  return commandWith({ SERVICE_DATA_DIR: dataDir }, ...args);
}

export function commandWith(env: Record<string, string>, ...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [hostCommand, ...args],
      { env: { PATH: process.env['PATH'], ...env } },
      (_error, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
