import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';

export type Arch = 'x64' | 'arm64';

/** Node of the packages that carry their own: the newest LTS that npm has for both processors. */
export const nodeVersion = '24.21.0';

const integrity: Record<Arch, string> = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/**
 * The path of Node's program for Linux, from the npm registry. It is fetched once, and verified then.
 * @throws if the registry does not have the file that was released
 */
export async function nodeBinary(arch: Arch, cache = join(homedir(), '.cache/fleet-control-service-release')) {
  const folder = join(cache, `node-${nodeVersion}-linux-${arch}`);
  const program = join(folder, 'package/bin/node');
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (!isThere) await fetchInto(folder, arch, cache);
  return program;
}

async function fetchInto(folder: string, arch: Arch, cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    const name = `node-linux-${arch}@${nodeVersion}`;
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', partial, name]);
    const archive = join(partial, stdout.trim());
    const digest = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`;
    if (digest !== integrity[arch]) throw new Error(`${name} of the registry is not the one that is expected`);
    await extract({ file: archive, cwd: partial });
    await rm(archive);
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
