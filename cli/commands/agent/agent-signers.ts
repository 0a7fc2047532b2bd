import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fingerprintOf } from '../../agent/signatures/statement.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { identityRequiresSignatures, requireSignatures, type Identity } from '../../files/identity.ts';
import {
  publicKeyOf,
  readSigners,
  signersPath,
  SignersFileError,
  writeSigners,
  type Signers,
} from '../../files/signers.ts';
import { safeText } from '../../output/safe.ts';
import { agentOf } from '../../command-line/program.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/** By key id. */
export type Keys = ReadonlyMap<string, KeyObject>;

const named = /^([A-Za-z0-9][A-Za-z0-9._:-]{0,127})=(.+)$/;

/** The keys of `--require-signature`; undefined without it. Throws a usage error for a file without a public key. */
export async function wantedKeys({ flags }: Invocation): Promise<Keys | undefined> {
  const texts = flags.texts('require-signature');
  if (texts.length === 0) return undefined;
  const keys = new Map<string, KeyObject>();
  for (const text of texts) {
    const [, name, path = text] = named.exec(text) ?? [];
    const key = await publicKeyIn(path);
    const id = name ?? fingerprintOf(key);
    if (keys.has(id))
      throw usage(
        `--require-signature: two keys have the ID ${id}`,
        'Use a different ID for each key: --require-signature <id>=<file>',
      );
    keys.set(id, key);
  }
  return keys;
}

/** Called before enrollment: a crash after it must not leave a robot that accepts unsigned orders. */
export async function keepKeysForEnrollment({ environment }: Invocation, keys: Keys): Promise<void> {
  await writeSigners(signersPath(environment.configDirectory), { robotId: '', keys, accepted: new Map() });
}

/**
 * Whether this robot accepts signed orders only; its keys are on disk then. Keys are pinned once. A newly enrolled
 * robot pins the wanted keys, else keeps the pinned ones, and forgets accepted signatures. Throws CliError if the
 * wanted keys differ from the pinned ones.
 */
export async function pinKeys(call: Invocation, identity: Identity, isNew: boolean, wanted?: Keys): Promise<boolean> {
  const { environment, io } = call;
  const path = signersPath(environment.configDirectory);
  let kept: Signers | undefined;
  try {
    kept = await readSigners(path);
  } catch (error) {
    if (!(error instanceof SignersFileError)) throw error;
    if (!isNew || !wanted) return takeNoOrders(call, error.message);
  }
  if (kept && kept.robotId === identity.robotId && !isNew) {
    if (wanted && !areSame(wanted, kept.keys)) throw otherKeys(call, path);
  } else {
    const keys = wanted ?? kept?.keys;
    const isRequired = await identityRequiresSignatures(environment.configDirectory);
    if (!keys) return isRequired && takeNoOrders(call, `${path} is missing`);
    await writeSigners(path, { robotId: identity.robotId, keys, accepted: new Map() });
    io.note(safeText(`Accepts only orders signed by ${[...keys.keys()].join(' or ')}; stored in ${path}`));
  }
  await requireSignatures(environment.configDirectory);
  return true;
}

function takeNoOrders({ command, io }: Invocation, why: string): true {
  io.note(safeText(`Warning: ${why}. No order is accepted, because no key is known.`));
  io.note(
    `Delete it and pass the keys again: ${agentOf(command)} run --require-signature <file>   Signatures that are still valid can then be used again.`,
  );
  return true;
}

const areSame = (wanted: Keys, kept: Keys) =>
  wanted.size === kept.size && [...wanted].every(([id, key]) => kept.get(id)?.equals(key));

const otherKeys = ({ command }: Invocation, path: string) =>
  new CliError(`--require-signature: this robot has pinned other keys, in ${path}`, {
    code: 'conflict',
    exit: exitCode.conflict,
    hint: `Omit the flag to use the pinned keys. To pin others, enroll again: ${agentOf(command)} run --fresh --require-signature <file> --enrollment-key <key>`,
  });

async function publicKeyIn(path: string): Promise<KeyObject> {
  const bad = (why: string, cause?: unknown) =>
    Object.assign(usage(`--require-signature: ${path} ${why}`, makeOne), { cause });
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw bad(`cannot be read (${(error as Error).message})`, error);
  });
  if (pem.includes('PRIVATE KEY')) throw bad('contains a private key, which must not be on a robot');
  const key = publicKeyOf(pem);
  if (!key) throw bad('has no ed25519 public key in PEM');
  return key;
}

const makeOne = 'Write the public part of the key: openssl pkey -in signing.pem -pubout -out signing.pub.pem';
