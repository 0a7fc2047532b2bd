import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Runs another `cli` command on this process's terminal: the same program, so that it behaves as it does alone. */
export function startCommand(argv: readonly string[], environment?: NodeJS.ProcessEnv) {
  const [program = ''] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, program, ...argv], {
    stdio: 'inherit',
    ...(environment && { env: environment }),
  });
  const code = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exitCode, signal) =>
      resolve(exitCode ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  return { code, end: (signal: NodeJS.Signals) => void child.kill(signal) };
}

/** Adds the flags before any `--`: the words after it belong to another program. */
export function withFlags(words: readonly string[], flags: readonly string[]): string[] {
  const dashes = words.indexOf('--');
  const end = dashes === -1 ? words.length : dashes;
  return [...words.slice(0, end), ...flags, ...words.slice(end)];
}
