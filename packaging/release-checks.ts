import { execFileSync } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { productVersion, root } from './bundled-packages.ts';
import { hasUnreleased, lastVersion } from './version.ts';

/** @throws if what is built would not be the release that the CHANGELOG names */
export async function checkTree(): Promise<void> {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  if (hasUnreleased(changelog) || lastVersion(changelog) !== (await productVersion()))
    throw new Error('CHANGELOG.md has changes that are not released: run npm run release:prepare, or use --snapshot');
  if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
    throw new Error('files are changed and not committed: commit them, or use --snapshot');
}

/** @throws unless SECURITY.md has the public key, by which users verify the signature */
export async function checkPublicKey(key: KeyObject): Promise<void> {
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const squeezed = (text: string) => text.replaceAll(/\s/g, '');
  if (!squeezed(await readFile(join(root, 'SECURITY.md'), 'utf8')).includes(squeezed(pem)))
    throw new Error('SECURITY.md does not have the public key of RELEASE_KEY_FILE: add it, or use --snapshot');
}
