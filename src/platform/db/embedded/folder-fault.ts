import { EmbeddedPostgresError, errorCode } from './types.ts';

/** File system errors that the operator can fix, as phrases that follow a path. */
const reasons: Record<string, string> = {
  EACCES: 'is not accessible to the account that runs the service',
  EPERM: 'is not writable for the account that runs the service',
  ENOTDIR: 'is not a folder, or is below a file',
  EEXIST: 'is not a folder, or is below a file',
  ELOOP: 'is a symbolic link to itself',
  ENAMETOOLONG: 'has too long a name',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'exceeds the disk quota of the account that runs the service',
};

/**
 * The error to throw for a fault below a data folder: one sentence with the path and the reason, or the original error
 * if it is unknown. A missing path is the operator's fault only if it is the data folder itself; the service creates
 * all others.
 */
export function folderFault(dataDir: string, error: unknown): unknown {
  const code = errorCode(error);
  const { address, path = address ?? dataDir } = error as NodeJS.ErrnoException & { address?: string }; // for sockets
  const reason =
    code === 'ENOENT' && path === dataDir ? 'is a symbolic link to a missing target' : code && reasons[code];
  if (!reason) return error;
  const what = path === dataDir ? `the data folder ${dataDir}` : `the data folder ${dataDir} cannot be used: ${path}`;
  return new EmbeddedPostgresError(`${what} ${reason} (${code}); set SERVICE_DATA_DIR to use another folder`, {
    cause: error,
  });
}
