import { chown, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { runProgram } from './run.ts';
import { EmbeddedPostgresError, type Account } from './types.ts';

/**
 * Postgres refuses to run as root. The account `nobody` is in every passwd file, and initdb requires an account listed
 * there.
 */
const nobody = process.platform === 'darwin' ? -2 : 65_534;

const ourselves: Account = { ids: undefined, prefix: [], owner: undefined };

/**
 * uid 0 outside the namespace, but in name only: works if another account cannot reach the programs or the data, as
 * under a 0700 home.
 */
const userNamespace: Account = {
  ids: undefined,
  prefix: ['unshare', '-U', `--map-user=${nobody}`, `--map-group=${nobody}`],
  owner: { uid: 0, gid: 0 },
};

/** For hosts without user namespaces, as in most containers: not root, but with root's access to closed folders. */
const nobodyWithReach: Account = {
  ids: undefined,
  prefix: [
    'setpriv',
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ],
  owner: { uid: nobody, gid: nobody },
};

const as = (uid: number, gid: number): Account => ({ ids: { uid, gid }, prefix: [], owner: { uid, gid } });

/**
 * As root: the first account that can load Postgres and write below the data folder, starting with the owner of an
 * existing cluster. Otherwise: the account of this process.
 * @throws EmbeddedPostgresError naming DATABASE_URL if no account can
 */
export async function pickAccount(binaries: Binaries, dataDir: string, clusterDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return ourselves;
  const owner = await lstat(clusterDir).catch(() => undefined);
  const candidates = [as(nobody, nobody), userNamespace, nobodyWithReach];
  if (owner?.uid === 0) candidates.unshift(userNamespace);
  else if (owner) candidates.unshift(as(owner.uid, owner.gid));
  let lastWords = '';
  for (const account of candidates) {
    lastWords = await tryOut(account, binaries, dataDir);
    if (lastWords === '') return account;
  }
  throw new EmbeddedPostgresError(
    `Postgres does not run as root, and no other account can run it here (${lastWords}): start the service as another user, or set DATABASE_URL`,
  );
}

/** Empty on success, else the reason. */
async function tryOut(account: Account, binaries: Binaries, dataDir: string): Promise<string> {
  const folder = await mkdtemp(join(dataDir, 'account-'));
  try {
    await giveTo(account, folder);
    const script = '"$1" --version >/dev/null && : >"$2/file"';
    const result = await runProgram(account, binaries, '/bin/sh', ['-c', script, 'sh', binaries.postgres, folder]);
    return result.exitCode === 0 ? '' : result.stderr.trim().split('\n').at(-1) || `exit code ${result.exitCode}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the account the owner of a folder and its content, as after a change of account. The folder itself comes last,
 * so that an interrupted run is detected and repeated.
 */
export async function giveTo({ owner }: Account, path: string): Promise<void> {
  if (!owner) return;
  const found = await lstat(path);
  if (found.uid === owner.uid || found.isSymbolicLink()) return;
  if (found.isDirectory())
    for (const entry of await readdir(path)) await giveTo({ ids: undefined, prefix: [], owner }, join(path, entry));
  await chown(path, owner.uid, owner.gid);
}
