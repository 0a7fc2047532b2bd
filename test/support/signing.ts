import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { sha256 } from './orders.ts';

export interface Statement {
  org_id: string;
  scope: string;
  lane: string;
  digest: string;
  sequence: number;
  expires_at: string;
  v: number;
}

export interface TestSigner {
  privateKey: KeyObject;
  publicPem: string;
  keyId: string;
  /** The two fields of an order. */
  sign(statement: Partial<Statement>): { signature: string; key_id: string };
}

let lastSequence = 0;

/** Increases with time. */
export const nextSequence = () => (lastSequence = Math.max(Date.now(), lastSequence + 1));

/** Written from docs/reference/signed-orders.md, independent of the verifying code. */
export function newSigner(): TestSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyId = sha256(publicKey.export({ type: 'spki', format: 'der' }));
  return {
    privateKey,
    keyId,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign(given) {
      const sequence = given.sequence ?? nextSequence();
      const expires_at = given.expires_at ?? new Date(Date.now() + 3_600_000).toISOString();
      const full = { org_id: '', scope: 'org', lane: '', digest: '', v: 1, ...given, sequence, expires_at };
      const ordered = Object.fromEntries(Object.entries(full).sort(([one], [other]) => (one < other ? -1 : 1)));
      const text = `fleet-control-service order v1\n${JSON.stringify(ordered)}`;
      const sig = sign(null, Buffer.from(text), privateKey).toString('base64');
      return { signature: sealed({ v: 1, scope: full.scope, sequence, expires_at, sig }), key_id: keyId };
    },
  };
}

export const sealed = (parts: object) => Buffer.from(JSON.stringify(parts)).toString('base64');

/** For an entry whose value is already in canonical form. */
export const entryDigestOf = (namespace: string, key: string, value: string) =>
  sha256(`{"key":${JSON.stringify(key)},"namespace":${JSON.stringify(namespace)},"value":${value}}`);

/** Writes the two files for `--sign` and `--require-signature`. */
export async function keyFiles(folder: string, name: string, { privateKey, publicPem }: TestSigner) {
  const files = { private: `${folder}/${name}.pem`, public: `${folder}/${name}.pub.pem` };
  await writeFile(files.private, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await chmod(files.private, 0o600);
  await writeFile(files.public, publicPem);
  return files;
}
