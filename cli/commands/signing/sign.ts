import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fingerprintOf, encodeSignature, textToSign } from '../../agent/signatures/statement.ts';
import type { Api } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import { looseMode } from '../../files/toml-file.ts';
import { safeText } from '../../output/safe.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { Signature, Target } from './signature-types.ts';

/** The key of `--sign`, and its id. */
export interface Signer {
  keyId: string;
  key: KeyObject;
  /** When the deployment starts, in RFC 3339. Undefined: now. */
  startsAt: string | undefined;
}

/** What the signature covers. */
interface Signed {
  /** `config`, or `release:` and the kind. */
  lane: string;
  /** SHA-256 in hex, of the artifact or of the config entry. */
  digest: string;
  /** Description for people. */
  what: string;
}

const usualExpiryDays = 90;
const dayMs = 86_400_000;
const needSign = ['sign-expires-days', 'sign-artifact'];

/**
 * The signer of a deployment that starts at `startsAt`, in RFC 3339; default: now. Undefined without `--sign`. Throws a
 * usage error for a file without such a key, and for conflicting flags.
 */
export async function signerOf({ flags, io }: Invocation, startsAt?: string): Promise<Signer | undefined> {
  const path = flags.text('sign');
  if (path === undefined) {
    const orphan = needSign.find((name) => flags.has(name) && flags.isGiven(name));
    if (orphan !== undefined) throw usage(`--${orphan} requires --sign`, 'Add --sign <file>');
    if (!flags.has('signature') && flags.isGiven('key-id'))
      throw usage('--key-id requires --sign', 'Add --sign <file>');
    return undefined;
  }
  if (flags.has('signature') && flags.isGiven('signature'))
    throw usage('--sign and --signature exclude each other', 'Use one of the two');
  const key = privateKeyOf(path, await readKey(path));
  const loose = await looseMode(path);
  if (loose !== undefined) io.note(`Warning: ${path} is open to other users (${loose}). Run: chmod 600 ${path}`);
  return { key, keyId: flags.text('key-id') ?? fingerprintOf(key), startsAt };
}

/**
 * Signs for the target, valid from the deployment's start. Prints what was signed, because part of it comes from the
 * service.
 */
export async function signForTarget(
  { flags, io }: Invocation,
  api: Api,
  { key, keyId, startsAt }: Signer,
  { lane, digest, what }: Signed,
  target: Target,
): Promise<Signature> {
  const orgId = (await api.get('/api/whoami', {})).body.data.org.id;
  const sequence = Math.max(Date.now(), startsAt === undefined ? 0 : Date.parse(startsAt.toUpperCase()));
  const days = flags.integer('sign-expires-days') ?? usualExpiryDays;
  const expiresAt = new Date(sequence + days * dayMs).toISOString();
  // A selector matches other robots at another time, so no scope but the whole org has them all.
  const scope = target.target_kind === 'selector' ? 'org' : `${target.target_kind}:${target.target_id}`;
  const statement = { orgId, scope, lane, digest, sequence, expiresAt };
  const bytes = sign(null, textToSign(statement), key);
  const robots = scope === 'org' ? 'all robots' : scope;
  io.note(safeText(`Signed ${what} (${digest}) for ${robots} of org ${orgId}, valid until ${expiresAt}`));
  return { signature: encodeSignature({ ...statement, bytes }), key_id: keyId };
}

const readKey = (path: string) =>
  readFile(path, 'utf8').catch((error: unknown) => {
    throw usage(`--sign: ${path} cannot be read (${(error as Error).message})`);
  });

function privateKeyOf(path: string, pem: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem))
    throw usage(
      `--sign: the key in ${path} is encrypted, and cli does not ask for a passphrase`,
      `Pass it decrypted, without storing it: --sign <(openssl pkey -in ${path})`,
    );
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // Reported below.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw usage(
    `--sign: ${path} is not an ed25519 private key in PEM`,
    'Create one with: openssl genpkey -algorithm ed25519 -out signing.pem',
  );
}
