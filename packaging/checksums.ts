import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Writes `SHA256SUMS` beside the files, in the form of sha256sum. */
export async function writeChecksums(folder: string, files: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const file of [...files].sort()) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    lines.push(`${hash.digest('hex')}  ${basename(file)}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

/**
 * Writes `SHA256SUMS.sig`, an ed25519 signature that `openssl pkeyutl` verifies, and the public key beside it.
 * @throws if the file has no private ed25519 key
 */
export async function signChecksums(folder: string, keyFile: string): Promise<void> {
  const key = createPrivateKey(await readFile(keyFile));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} has no ed25519 key`);
  const sums = await readFile(join(folder, 'SHA256SUMS'));
  await writeFile(join(folder, 'SHA256SUMS.sig'), sign(null, sums, key));
  await writeFile(join(folder, 'release-key.pem'), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
}
