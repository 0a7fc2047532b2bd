import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Sets the modes of all files in a folder, so that they do not depend on the umask of the account that builds them. */
export async function makeReadable(folder: string): Promise<void> {
  await promisify(execFile)('chmod', ['-R', 'u=rwX,go=rX', folder]);
}
