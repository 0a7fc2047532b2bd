import { Readable, Writable } from 'node:stream';
import { runLine } from '../../cli/bin/run-line.ts';
import { endOnInterrupt } from '../../cli/command-line/interrupt.ts';
import { catalog } from '../../cli/command-specs/index.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { CliResult } from './cli.ts';

/**
 * These need their own process: they handle signals or a terminal, outlive the line, or are decided by `main.js` before
 * the line is read.
 */
const wantProcess = ['agent', 'ui', '--version', 'version', 'watch', '--watch', '--follow'];

/**
 * Whether a line behaves in the test process as in its own. Variables of Node and of the C library are read once. Such
 * a line cannot show that the process ends by itself, what Node writes on stderr, and that the bundle contains the
 * line. Tests with `start` show it.
 */
export const canRunInProcess = (args: readonly string[], env: Readonly<Record<string, string>>): boolean =>
  !args.some((arg) => wantProcess.includes(arg)) &&
  !['shell', 'camera', 'topics', 'play', 'login'].some((word) => args.slice(0, 2).includes(word)) &&
  !Object.keys(env).some((name) => /^(NODE_|TZ$|LD_|SSL_)/.test(name));

/** Runs a line of the client in the test process, on pipes. */
export async function runInProcess(args: readonly string[], env: NodeJS.ProcessEnv, input: string): Promise<CliResult> {
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  const outputOf = (name: 'stdout' | 'stderr') => {
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks[name].push(chunk);
        done();
      },
    });
    return { isTerminal: false, open: () => stream };
  };
  const streams = { out: outputOf('stdout'), err: outputOf('stderr'), input: Readable.from([Buffer.from(input)]) };
  const code = await runLine(catalog, args, manifest.version, { env, streams });
  // Some commands restore the handler that ends a process of their own.
  process.removeListener('SIGINT', endOnInterrupt);
  const [stdout = '', stderr = ''] = [chunks.stdout, chunks.stderr].map((each) => Buffer.concat(each).toString('utf8'));
  return { code, stdout, stderr };
}
