import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const serverFile = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

export interface ServerProcess extends AsyncDisposable {
  child: ChildProcess;
  exited: Promise<[number | null]>;
  url: string;
  stdout(): string;
  stderr(): string;
  /** Ends the process with this signal; returns its exit code, null if the signal itself ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Runs the built server in its own process, with only PATH from this environment. */
export function spawnServer(env: Record<string, string>, command: string[] = [process.execPath, serverFile]) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return { child, exited, stdout: () => stdout, stderr: () => stderr };
}

/** Waits until the server reports that it is ready. @throws with its output if it ends first */
export async function startServer(env: Record<string, string>, command?: string[]): Promise<ServerProcess> {
  const server = spawnServer(env, command);
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const line = server
        .stdout()
        .split('\n')
        .find((each) => each.includes('"msg":"ready"'));
      if (line !== undefined) resolve((JSON.parse(line) as { url: string }).url);
    };
    server.child.stdout.on('data', look);
    void server.exited.then(([code]) =>
      reject(new Error(`the server ended with ${code}: ${server.stderr()}${server.stdout()}`)),
    );
  });
  const end = async (signal: NodeJS.Signals) => {
    server.child.kill(signal);
    return (await server.exited)[0];
  };
  return {
    ...server,
    url,
    end,
    async [Symbol.asyncDispose]() {
      if (server.child.exitCode === null && server.child.signalCode === null) await end('SIGKILL');
    },
  };
}
