import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';

/** A file of the npm registry. */
export interface RegistryPackage {
  name: string;
  version: string;
  /** As in package-lock.json: `sha512-` and the digest in Base64. */
  integrity: string;
}

const defaultCache = join(homedir(), '.cache/fleet-control-service-release');

/**
 * The folder of a package of the npm registry, which may be for another processor than this one. It is fetched once,
 * and verified then.
 * @throws if the registry does not have the file that was released
 */
export async function registryPackage(wanted: RegistryPackage, cache = defaultCache): Promise<string> {
  const folder = join(cache, `${wanted.name}-${wanted.version}`);
  const isThere = await access(join(folder, 'package')).then(
    () => true,
    () => false,
  );
  if (!isThere) await fetchInto(folder, wanted);
  return join(folder, 'package');
}

async function fetchInto(folder: string, { name, version, integrity }: RegistryPackage): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    const wanted = `${name}@${version}`;
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', partial, wanted]);
    const archive = join(partial, stdout.trim());
    const digest = createHash('sha512').update(await readFile(archive));
    if (`sha512-${digest.digest('base64')}` !== integrity)
      throw new Error(`${wanted} of the registry is not the one that is expected`);
    await extract({ file: archive, cwd: partial });
    await rm(archive);
    // Another process may have fetched it meanwhile.
    await rename(partial, folder).catch(() => access(join(folder, 'package')));
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
