import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, replaceFile } from './toml-file.ts';

/** Whose signatures a robot takes, and what it took of them, as `signers.json` keeps it beside `agent.toml`. */
export interface Signers {
  /** Whose file it is; empty before the enrollment. */
  robotId: string;
  /** By key id: one at least, ed25519. */
  keys: ReadonlyMap<string, KeyObject>;
  /** The highest that was accepted, by lane; for config by lane, namespace and key. */
  accepted: ReadonlyMap<string, Accepted>;
}

/** One number is good for one thing: the same may come again. */
export interface Accepted {
  sequence: number;
  digest: string;
}

/** A file that is there and is not what was written: whom to believe is not known then. */
export class SignersFileError extends Error {
  override readonly name = 'SignersFileError';
}

export const signersPath = (configDirectory: string) => join(configDirectory, 'signers.json');

/** Undefined if there is no such file. Throws SignersFileError if it cannot be read or is damaged. */
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

/** 0600, and in one step: a crash leaves the old one or the new one. Throws TomlFileError where the disk does not take it. */
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
  // Of a private key, Node would take the public part.
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

/** Throws for what is no object. */
function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return Object.entries(value);
}
