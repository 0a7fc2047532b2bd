import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';

/** An OpenSSH of its own: its keys, its settings, on loopback. */
export interface Sshd extends AsyncDisposable {
  /** What runs a command there: a program and its arguments, to which flags and the command are added. */
  client: { program: string; args: readonly string[]; host: string };
}

const startWithinMs = 5_000;

/** Undefined where there is no sshd; `apt-get install openssh-server` brings it. */
export async function startSshd(): Promise<Sshd | undefined> {
  const path = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, 'sshd'));
  const program = path.find((each) => existsSync(each));
  if (program === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'bench-sshd-'));
  const [hostKey, key] = [join(folder, 'host'), join(folder, 'key')];
  for (const each of [hostKey, key]) run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', each);
  const keys = join(folder, 'authorized_keys');
  await copyFile(`${key}.pub`, keys);
  const port = await freePort();
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${hostKey}`, `PidFile ${join(folder, 'pid')}`],
    ...[`AuthorizedKeysFile ${keys}`, 'PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
    ...['StrictModes no', 'UsePAM no', 'PermitRootLogin yes', 'UseDNS no', 'PrintMotd no', 'LogLevel QUIET'],
  ];
  const config = join(folder, 'config');
  await writeFile(config, `${settings.join('\n')}\n`);
  const { username, uid } = userInfo();
  // What its unit makes; as root it does not start without.
  if (uid === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + startWithinMs;
  while (!(await answers(port))) {
    if (performance.now() > deadline || child.exitCode !== null) {
      await stop();
      throw new Error('sshd does not start');
    }
    await sleep(20);
  }
  const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', `UserKnownHostsFile=${join(folder, 'known')}`];
  const args = ['-F', '/dev/null', '-q', '-i', key, '-p', String(port), ...options.flatMap((each) => ['-o', each])];
  return { client: { program: 'ssh', args, host: `${username}@127.0.0.1` }, [Symbol.asyncDispose]: stop };
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => resolve(false)).setTimeout(1_000, () => socket.destroy());
  }).then((does) => does === true);
}
