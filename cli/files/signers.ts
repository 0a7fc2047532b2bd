import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, replaceFile } from './toml-file.ts';

/**
 * The signers that a robot accepts, and the signatures it has accepted, as stored in `signers.json` beside
 * `agent.toml`.
 */
export interface Signers {
  /** The robot of the file; empty before the enrollment. */
  robotId: string;
  /** By key id: at least one, ed25519. */
  keys: ReadonlyMap<string, KeyObject>;
  /** The highest accepted one, by lane; for config by lane, namespace and key. */
  accepted: ReadonlyMap<string, Accepted>;
}

/** One number is valid for one digest: the same pair may be repeated. */
export interface Accepted {
  sequence: number;
  digest: string;
}

/** The file exists but is not as written: the trusted keys are unknown then. */
export class SignersFileError extends Error {
  override readonly name = 'SignersFileError';
}

export const signersPath = (configDirectory: string) => join(configDirectory, 'signers.json');

/** Undefined if the file is missing. Throws SignersFileError if it cannot be read or is damaged. */
export async function readSigners(path: string): Promise<Signers | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new SignersFileError(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  const signers = signersIn(text);
  if (!signers) throw new SignersFileError(`${path} is damaged`);
  return signers;
}

/**
 * Writes with mode 0600, atomically: a crash leaves the old or the new file. Throws TomlFileError if the write fails.
 */
export async function writeSigners(path: string, { robotId, keys, accepted }: Signers): Promise<void> {
  const pem = [...keys].map(([id, key]) => [id, key.export({ type: 'spki', format: 'pem' })] as const);
  const content = {
    v: 1,
    robot_id: robotId,
    keys: Object.fromEntries(pem),
    accepted: Object.fromEntries(accepted),
  };
  await replaceFile(path, `${JSON.stringify(content, undefined, 1)}\n`);
}

export const removeSigners = (configDirectory: string) => removeFile(signersPath(configDirectory));

/** An ed25519 public key in PEM; undefined for anything else. */
export function publicKeyOf(pem: string): KeyObject | undefined {
  // From a private key, Node would take the public part.
  if (!/^-----BEGIN PUBLIC KEY-----$/m.test(pem) || pem.includes('PRIVATE')) return undefined;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function signersIn(text: string): Signers | undefined {
  try {
    const { v, robot_id: robotId, keys: pems, accepted } = JSON.parse(text) as Record<string, unknown>;
    if (v !== 1 || typeof robotId !== 'string') return undefined;
    const keys = new Map(entriesOf(pems).map(([id, pem]) => [id, publicKeyOf(String(pem))]));
    const taken = new Map(entriesOf(accepted).map(([name, each]) => [name, acceptedOf(each)]));
    if (keys.size === 0 || ![...keys.values(), ...taken.values()].every(Boolean)) return undefined;
    return { robotId, keys, accepted: taken } as Signers; // none is undefined
  } catch {
    return undefined;
  }
}

function acceptedOf(value: unknown): Accepted | undefined {
  const { sequence, digest } = Object(value) as Record<string, unknown>;
  const isWhole = typeof sequence === 'number' && Number.isSafeInteger(sequence) && typeof digest === 'string';
  return isWhole ? { sequence, digest } : undefined;
}

/** Throws if it is not an object. */
function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return Object.entries(value);
}
