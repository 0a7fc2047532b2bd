import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Another line of `cli` on the terminal of this process: the same program, so that what it does there is what it does alone. */
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

/** The words with these flags, in front of what belongs to another program. */
export function withFlags(words: readonly string[], flags: readonly string[]): string[] {
  const dashes = words.indexOf('--');
  const end = dashes === -1 ? words.length : dashes;
  return [...words.slice(0, end), ...flags, ...words.slice(end)];
}
