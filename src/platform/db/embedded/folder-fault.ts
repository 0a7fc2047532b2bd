import { EmbeddedPostgresError, errorCode } from './types.ts';

/** Faults of the file system that are the operator's to put right, in words that follow a path. */
const reasons: Record<string, string> = {
  EACCES: 'is closed to the account that runs this',
  EPERM: 'may not be changed by the account that runs this',
  ENOTDIR: 'is not a folder, or lies below what is none',
  EEXIST: 'is not a folder, or lies below what is none',
  ELOOP: 'is a link that leads back to itself',
  ENAMETOOLONG: 'has too long a name',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is beyond the disk quota of the account that runs this',
};

/**
 * What to throw for a fault below a data folder: one sentence that names what cannot be used and why, or the fault itself where we have no
 * words for it. A path that is missing is the operator's only when it is the folder's own; any other we should have made.
 */
export function folderFault(dataDir: string, error: unknown): unknown {
  const code = errorCode(error);
  const { address, path = address ?? dataDir } = error as NodeJS.ErrnoException & { address?: string }; // of a socket
  const reason = code === 'ENOENT' && path === dataDir ? 'is a link that leads nowhere' : code && reasons[code];
  if (!reason) return error;
  const what = path === dataDir ? `the data folder ${dataDir}` : `the data folder ${dataDir} cannot be used: ${path}`;
  return new EmbeddedPostgresError(`${what} ${reason} (${code}); SERVICE_DATA_DIR sets another one`, { cause: error });
}
