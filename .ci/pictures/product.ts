import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = (name: string) => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
const startMs = 90_000;
/** After this time the first deployments of the demo have ended, milliseconds. */
const demoSettlesMs = 15_000;

/** The service with the demo, and the home folder of a person who is signed in to it. */
export interface Product extends AsyncDisposable {
  home: string;
  url: string;
  token: string;
  /** With `cli` on the path. */
  env: Record<string, string>;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await exit;
  clearTimeout(late);
}

/** Starts the program and resolves with what the pattern found in its output. */
async function started(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${output}`));
    const late = setTimeout(() => fail(`is not ready after ${startMs / 1000} s`), startMs);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = pattern.exec(output);
      if (!found) return;
      clearTimeout(late);
      resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(late);
      fail(`exited with ${code ?? 'a signal'}`);
    });
  });
}

export async function startProduct(): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  await Promise.all([mkdir(home), mkdir(bin)]);
  await symlink(built('cli/main.js'), join(bin, 'cli'));
  const path = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const env = { PATH: path, HOME: home, LANG: 'C.UTF-8', TZ: 'UTC' };
  const children: ChildProcess[] = [];
  const start = (file: string, args: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [built(file), ...args], { cwd: home, env: { ...env, ...more } });
    children.push(child);
    return child;
  };
  const dispose = async () => {
    for (const child of children.reverse()) await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = start('server/main.js', [], { PORT: '0', SERVICE_DATA_DIR: join(folder, 'data') });
    const ready = await started(server, /(svc_org_[0-9a-f]{64})[^]*"url":"(http[^"]+)"[^]*?\n/);
    const [, token = '', url = ''] = ready;
    const login = start('cli/main.js', ['login', '--base-url', url, '--token', token]);
    await once(login, 'exit');
    await started(start('cli/main.js', ['demo']), /The demo is ready/);
    await new Promise((resolve) => setTimeout(resolve, demoSettlesMs));
    return { home, url, token, env, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
