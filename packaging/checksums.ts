import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
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

/** @throws if the file has no private ed25519 key */
export async function readSigningKey(file: string): Promise<KeyObject> {
  const key = createPrivateKey(await readFile(file));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} has no ed25519 key`);
  return key;
}

/** Writes `SHA256SUMS.sig`, an ed25519 signature that `openssl pkeyutl` verifies, and the public key beside it. */
export async function signChecksums(folder: string, key: KeyObject): Promise<void> {
  const sums = await readFile(join(folder, 'SHA256SUMS'));
  await writeFile(join(folder, 'SHA256SUMS.sig'), sign(null, sums, key));
  await writeFile(join(folder, 'release-key.pem'), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
}
