import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { startProduct } from './product.ts';

/** An OpenSSH of its own: its keys, its settings, on loopback. */
export interface Sshd extends AsyncDisposable {
  /** What runs a command there, directly or through a jump host, which is the same sshd. */
  direct: SshClient;
  jumping: SshClient;
}

/** A program and its arguments, to which flags, the host and the command are added. */
export interface SshClient {
  program: string;
  args: readonly string[];
  host: string;
}

/** Undefined where there is no sshd; `apt-get install openssh-server` brings it. */
export async function startSshd(): Promise<Sshd | undefined> {
  const sshd = await startProduct('sshd', async ({ folder, port }) => {
    const [hostKey, key, keys] = [join(folder, 'host'), join(folder, 'key'), join(folder, 'authorized_keys')];
    for (const each of [hostKey, key]) run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', each);
    await copyFile(`${key}.pub`, keys);
    const config = await write(folder, 'config', [
      ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${hostKey}`, `PidFile ${join(folder, 'pid')}`],
      ...[`AuthorizedKeysFile ${keys}`, 'PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
      ...['StrictModes no', 'UsePAM no', 'PermitRootLogin yes', 'UseDNS no', 'PrintMotd no', 'LogLevel QUIET'],
    ]);
    const { username, uid } = userInfo();
    await write(folder, 'client', [
      ...['Host *', 'HostName 127.0.0.1', `Port ${port}`, `User ${username}`, `IdentityFile ${key}`, 'LogLevel QUIET'],
      ...['BatchMode yes', 'StrictHostKeyChecking no', `UserKnownHostsFile ${join(folder, 'known')}`],
      ...['Host behind', 'ProxyJump robot'],
    ]);
    // What its unit makes; as root it does not start without.
    if (uid === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
    return ['-D', '-e', '-f', config];
  });
  if (!sshd) return undefined;
  const client = (host: string): SshClient => ({ program: 'ssh', args: ['-F', join(sshd.folder, 'client')], host });
  return {
    direct: client('robot'),
    jumping: client('behind'),
    [Symbol.asyncDispose]: () => sshd[Symbol.asyncDispose](),
  };
}

async function write(folder: string, name: string, settings: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${settings.join('\n')}\n`);
  return path;
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
}
