import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { giveTo, pickAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { createCluster, isCluster, listMajors, moveCluster, readPassword, refuseOtherMajor } from './cluster.ts';
import { lockDataFolder } from './lock.ts';
import { folderFault } from './folder-fault.ts';
import { shortPath } from './short-path.ts';
import { supervise } from './supervisor.ts';
import { EmbeddedPostgresError, errorCode, FolderInUseError, type EmbeddedLog } from './types.ts';

export { EmbeddedPostgresError, type EmbeddedLog };

/**
 * `dataDir`: the folder that holds `pg<major>/`. Created if missing, mode 0700 (as root 0711: Postgres runs as another
 * account).
 */
interface EmbeddedOptions {
  dataDir: string;
  log: EmbeddedLog;
  maxConnections?: number; // default 50; several services on one database need more, as in tests
}

export interface EmbeddedPostgres {
  /**
   * `host` is the folder of the Unix socket; there is no TCP. Port and ssl are explicit so that no PG* variable can
   * change them.
   */
  connection: { host: string; port: number; ssl: false; user: string; password: string; database: string };
  /** Whether this call created the cluster. */
  firstStart: boolean;
  /** Stops Postgres, then releases the data folder. Idempotent. */
  stop(): Promise<void>;
}

/** The database that a restore fills: `keep` makes it the folder's database, `stop` without `keep` discards it. */
interface RestoreTarget extends EmbeddedPostgres {
  keep(): Promise<void>;
}

/**
 * Serves the database of a data folder, and creates it on first use. Postgres ends with this process, however that
 * ends, and is restarted if it fails earlier.
 * @throws EmbeddedPostgresError for everything that the operator can fix
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  return startOn(options);
}

async function startOn(options: EmbeddedOptions, whenInUse?: string): Promise<EmbeddedPostgres> {
  return openFolder({ ...options, whenInUse }, async (dataDir, major) => {
    await refuseOtherMajor(dataDir, major);
    return join(dataDir, `pg${major}`);
  });
}

/**
 * The folder's database: that of the running service, else one that is started for this call. Never creates one.
 * @throws EmbeddedPostgresError
 */
export async function openForBackup(options: EmbeddedOptions): Promise<Pick<EmbeddedPostgres, 'connection' | 'stop'>> {
  const dataDir = resolve(options.dataDir);
  const majors = await listMajors(dataDir).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw folderFault(dataDir, error);
  });
  const [major] = majors.toSorted((a, b) => b - a);
  if (major === undefined) throw new EmbeddedPostgresError(`there is no database in ${options.dataDir}`);
  try {
    return await startOn(options, 'stop that one until the backup is complete');
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return { connection: await connectionTo(dataDir, `pg${major}`), stop: () => Promise.resolve() };
  }
}

/** Its Postgres belongs to the process that holds the folder. */
async function connectionTo(dataDir: string, cluster: string): Promise<EmbeddedPostgres['connection']> {
  const password = await readPassword(join(dataDir, cluster)).catch((error: unknown) => {
    throw folderFault(dataDir, error);
  });
  const connection = connectionIn(join(await shortPath(dataDir), cluster), password);
  await refuseUnready(dataDir, connection);
  return connection;
}

/** The process may have just begun, or be about to end. */
async function refuseUnready(dataDir: string, { host, port }: EmbeddedPostgres['connection']): Promise<void> {
  const socket = connect(join(host, `.s.PGSQL.${port}`));
  try {
    await once(socket, 'connect');
  } catch (error) {
    throw new EmbeddedPostgresError(`the database in ${dataDir} is starting or stopping: try again`, { cause: error });
  } finally {
    socket.destroy();
  }
}

const connectionIn = (host: string, password: string): EmbeddedPostgres['connection'] => ({
  host,
  port: 5432,
  ssl: false,
  user: 'postgres',
  password,
  database: 'postgres',
});

/**
 * Opens the folder's database if there is one, else a new one in `pg<major>.import`, so that an interrupted restore
 * never looks complete. Databases of other majors are not touched.
 */
export async function openForRestore(options: EmbeddedOptions): Promise<RestoreTarget> {
  let finalDir = '';
  let clusterDir = '';
  let kept = false;
  const opened = await openFolder(
    { ...options, whenInUse: 'stop that one until the backup is restored' },
    async (dataDir, major) => {
      finalDir = join(dataDir, `pg${major}`);
      clusterDir = (await isCluster(finalDir)) ? finalDir : `${finalDir}.import`;
      if (clusterDir !== finalDir) await rm(clusterDir, { recursive: true, force: true });
      return clusterDir;
    },
    async () => {
      if (clusterDir === finalDir) return;
      if (kept) await moveCluster(clusterDir, finalDir);
      else await rm(clusterDir, { recursive: true, force: true });
    },
  );
  return {
    ...opened,
    async keep() {
      kept = true;
      await opened.stop();
    },
  };
}

type Choose = (dataDir: string, major: number) => Promise<string>;

/**
 * @param whenInUse advice for the operator if another process holds the folder
 * @param afterwards runs after Postgres has ended, while the folder lock is still held
 */
async function openFolder(
  { dataDir: given, log, maxConnections, whenInUse }: EmbeddedOptions & { whenInUse: string | undefined },
  choose: Choose,
  afterwards?: () => Promise<void>,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(given);
  try {
    await makeFolder(dataDir);
    const shortDir = await shortPath(dataDir);
    const lock = await lockDataFolder(dataDir, shortDir, whenInUse);
    try {
      const binaries = await findBinaries(dataDir);
      const clusterDir = await choose(dataDir, binaries.major);
      const account = await pickAccount(binaries, dataDir, clusterDir);
      const firstStart = !(await isCluster(clusterDir));
      if (firstStart) await createCluster(account, binaries, clusterDir);
      else await giveTo(account, clusterDir);
      const password = await readPassword(clusterDir);
      const supervisor = await supervise({ account, binaries, clusterDir, log, maxConnections });
      let stopped: Promise<void> | undefined;
      const stop = async (): Promise<void> => {
        await supervisor.stop();
        try {
          await afterwards?.();
        } finally {
          await lock.release();
        }
      };
      return {
        connection: connectionIn(clusterDir.replace(dataDir, shortDir), password),
        firstStart,
        stop: () => (stopped ??= stop()),
      };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw folderFault(dataDir, error);
  }
}

/** As root: another account must be able to pass through the folder to its cluster, but not list it. */
async function makeFolder(dataDir: string): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true });
  await mkdir(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  await stat(dataDir); // fails with a clear error for a dangling link
}
