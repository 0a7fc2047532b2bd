import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a line of the client in this terminal, and ends as it does. */
export async function runClient(line: readonly string[]): Promise<void> {
  const client = fileURLToPath(new URL('../cli/main.js', import.meta.url)); // beside dist/server
  const child = spawn(process.execPath, [client, ...line], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both; the client decides what it means.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
