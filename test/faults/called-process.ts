import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

interface Response {
  call: string;
  error?: string;
}

/** A process that does what a line of its input says, responds with a line of JSON, and can be killed meanwhile. */
export interface CalledProcess<R extends Response> extends AsyncDisposable {
  /** Undefined if it was killed before it responded. */
  call(text: string): Promise<R | undefined>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** `file`: a script beside this one. It passes its input to `serveCalls`. */
export function startCalledProcess<R extends Response>(
  file: string,
  argument: string,
  env: Record<string, string> = {},
): CalledProcess<R> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const open = () => {
    const child = spawn(process.execPath, ['--import', 'tsx', path, argument], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.stdin.on('error', () => undefined); // it was killed
    return { child, lines: createInterface({ input: child.stdout }), exited: once(child, 'exit') };
  };
  let running = open();
  let calls = 0;
  async function kill(): Promise<void> {
    running.child.kill('SIGKILL');
    await running.exited;
  }
  return {
    call(text) {
      const { child, lines, exited } = running;
      calls += 1;
      const call = `${text} ${calls}`;
      const response = new Promise<R>((resolve) => {
        lines.on('line', function hear(line) {
          const said = JSON.parse(line) as R;
          if (said.call !== call) return;
          lines.off('line', hear);
          resolve(said);
        });
      });
      child.stdin.write(`${call}\n`);
      return Promise.race([response, exited.then(() => undefined)]);
    },
    kill,
    start() {
      running = open();
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** In such a process: does each call of the input. `more` is added to the responses. */
export async function serveCalls(
  work: (text: string) => Promise<void>,
  more: () => object = () => ({}),
): Promise<void> {
  for await (const call of createInterface({ input: process.stdin })) {
    const error = await work(call.split(' ')[0] ?? '').then(
      () => undefined,
      (reason: unknown) => String(reason),
    );
    process.stdout.write(`${JSON.stringify({ call, ...more(), error })}\n`);
  }
}
