import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { testWith } from './tools.ts';

const run = promisify(execFile);
const cache = join(homedir(), '.cache/fleet-control-service-release');
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A test that needs a root of Debian to work in. */
export const testInBareRoot = testWith('root', 'mount', 'debootstrap', 'dpkg-deb');

/** Debian's base system in a folder of its own. */
export interface BareRoot extends AsyncDisposable {
  folder: string;
  /** Copies a file into `/tmp` and returns its path there. */
  put(file: string): Promise<string>;
  /** Runs a shell line as root; rejects with its output unless it ends with 0. */
  sh(line: string, env?: Record<string, string>): Promise<string>;
  /** Starts a shell line, which must `exec` what gets the signals. */
  start(line: string): ChildProcess;
}

/** Of the mirror that apt uses; made once. */
async function debian(): Promise<string> {
  const codename = /^VERSION_CODENAME=(.*)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1] ?? '';
  const folder = join(cache, `debian-${codename}`);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    const targets = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', `Codename: ${codename}`];
    const [mirror = ''] = (await run('apt-get', targets)).stdout.split('\n');
    await run('debootstrap', ['--variant=minbase', codename, partial, mirror], { maxBuffer: 2 ** 24 });
    await chmod(partial, 0o755);
    // Another process may have made it meanwhile.
    await rename(partial, folder).catch(() => undefined);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

/** @param before words before each command, such as for another network; by default it shares the one of the tests */
export async function startBareRoot(before: readonly string[] = []): Promise<BareRoot> {
  const above = await mkdtemp(join(tmpdir(), 'bare-'));
  const folder = join(above, 'root');
  await run('cp', ['-a', await debian(), folder]);
  // Mounts and processes of each line end with it: the first shell stays, as a change of user would hide its parent's death.
  const words = (line: string) => [
    ...[...before, 'unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c'],
    'mount -t proc proc "$0/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" && chroot "$0" sh -ec "$1"; exit $?',
    ...[folder, line],
  ];
  const env = (more: Record<string, string> = {}) => ({ PATH: path, LC_ALL: 'C.UTF-8', ...more });
  const started: ChildProcess[] = [];
  return {
    folder,
    async put(file) {
      const to = `/tmp/${basename(file)}`;
      await copyFile(file, join(folder, to));
      return to;
    },
    async sh(line, more) {
      const [program = '', ...args] = words(line);
      const { stdout, stderr } = await run(program, args, { env: env(more) });
      return stdout + stderr;
    },
    start(line) {
      const [program = '', ...args] = words(line);
      const child = spawn(program, args, { env: env(), stdio: ['ignore', 'pipe', 'pipe'] });
      started.push(child);
      return child;
    },
    async [Symbol.asyncDispose]() {
      for (const child of started) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      await rm(above, { recursive: true, force: true });
    },
  };
}
