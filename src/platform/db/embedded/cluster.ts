import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../durable.ts';
import { giveTo } from './account.ts';
import { type Account, EmbeddedPostgresError } from './types.ts';
import type { Binaries } from './binaries.ts';
import { runProgram } from './run.ts';

/** In the cluster's own folder, so that both are created, moved and deleted together. */
const passwordFile = 'service-password';

/** The majors of the databases in the data folder (`pg<major>`). */
export async function listMajors(dataDir: string): Promise<number[]> {
  const majors: number[] = [];
  for (const entry of await readdir(dataDir)) {
    const [, major] = /^pg(\d+)$/.exec(entry) ?? [];
    if (major !== undefined && (await isCluster(join(dataDir, entry)))) majors.push(Number(major));
  }
  return majors;
}

/** @throws EmbeddedPostgresError for a database that only another release can read */
export async function refuseOtherMajor(dataDir: string, ours: number): Promise<void> {
  const majors = await listMajors(dataDir);
  const other = majors.find((major) => major > ours || !majors.includes(ours));
  if (other === undefined) return;
  const folder = join(dataDir, `pg${other}`);
  throw new EmbeddedPostgresError(
    `${folder} is a Postgres ${other} database and this release includes Postgres ${ours}: back it up with the release that wrote it ("npm run db:export -- <folder>"), ` +
      `then restore it with this one ("npm run db:import -- <folder>")${other > ours ? ` and move ${folder} away` : ''}`,
  );
}

/** initdb writes PG_VERSION; a folder without it is no database. */
export async function isCluster(folder: string): Promise<boolean> {
  return readFile(join(folder, 'PG_VERSION'), 'utf8').then(
    () => true,
    () => false,
  );
}

/**
 * Creates a cluster in `<clusterDir>.init` and renames it once it is complete and on disk. An interrupted one never
 * looks complete, and the next start deletes it.
 */
export async function createCluster(account: Account, binaries: Binaries, clusterDir: string): Promise<void> {
  if (((await readdir(clusterDir).catch(() => [])) as string[]).length > 0) {
    throw new EmbeddedPostgresError(`${clusterDir} is not empty and is not a Postgres database: move it elsewhere`);
  }
  const work = `${clusterDir}.init`;
  const made = join(work, 'cluster');
  const password = join(work, 'password');
  await rm(work, { recursive: true, force: true });
  await mkdir(made, { recursive: true, mode: 0o700 });
  await writeFile(password, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await giveTo(account, work);
  const result = await runProgram(account, binaries, binaries.initdb, [
    ...['-D', made, '-U', 'postgres', `--pwfile=${password}`, '--auth=scram-sha-256', '--no-instructions'],
    // Sorted by code point, with Unicode case mapping, and identical on every machine.
    ...['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ]);
  if (result.exitCode !== 0)
    throw new EmbeddedPostgresError(`initdb could not create a database in ${clusterDir}: ${reasonIn(result.stderr)}`);
  await rename(password, join(made, passwordFile));
  await syncFolder(made);
  await moveCluster(made, clusterDir);
  await rm(work, { recursive: true, force: true });
}

/** A rename is durable only once its parent folder is on disk. */
export async function moveCluster(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

export async function readPassword(clusterDir: string): Promise<string> {
  return readFile(join(clusterDir, passwordFile), 'utf8');
}

/** The error of the server that initdb runs, if there is one. */
const reasonIn = (text: string): string =>
  /\b(?:FATAL|PANIC|ERROR): +(.*)/.exec(text)?.[1] ?? text.trim().split('\n').slice(0, 3).join('; ');
