import { chmod, lstat, mkdtemp, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * A Unix socket address holds 107 bytes on Linux, 103 on macOS; paths below the data folder need at most 35 of them.
 */
const maxFolderBytes = 103 - 35;

/**
 * A path of `dataDir` short enough for socket addresses: itself, or a link to it in a 0700 folder under /tmp. The link
 * is recorded in the data folder and reused, so there is only one, however often a server is killed.
 */
export async function shortPath(dataDir: string): Promise<string> {
  if (Buffer.byteLength(dataDir) <= maxFolderBytes) return dataDir;
  const note = join(dataDir, 'short-path');
  const noted = await readFile(note, 'utf8').catch(() => '');
  if (noted !== '' && (await leadsTo(noted, dataDir))) return noted;
  const folder = await mkdtemp('/tmp/fleet-data-');
  await chmod(folder, 0o700);
  const made = join(folder, 'd');
  await symlink(dataDir, made);
  await writeFile(note, made, { mode: 0o600 });
  return made;
}

/** Any account can write to /tmp: a link counts only in a folder that belongs to this account alone. */
async function leadsTo(link: string, dataDir: string): Promise<boolean> {
  try {
    const folder = await lstat(dirname(link));
    const ours = folder.isDirectory() && folder.uid === process.getuid?.() && (folder.mode & 0o077) === 0;
    return ours && (await readlink(link)) === dataDir;
  } catch {
    return false;
  }
}
