import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readToml, removeFile, TomlFileError, writeToml } from './toml-file.ts';

const attemptPath = (configDirectory: string) => join(configDirectory, 'agent-enrollment.toml');

/** One enrollment; an attempt that differs in any field is another one. */
export interface EnrollmentAttempt {
  backendUrl: string;
  enrollmentKey: string;
  /** Id of the robot that this machine is now; default: none. */
  replaces?: string | undefined;
}

/**
 * The nonce of an enrollment, on disk before this returns. An attempt after a crash or a lost response sends the same
 * one. The service then returns the same robot and counts no second use of the key.
 */
export async function enrollmentNonce(configDirectory: string, attempt: EnrollmentAttempt): Promise<string> {
  const path = attemptPath(configDirectory);
  const digest = digestOf(attempt);
  const kept = await readToml(path).catch(ignoreBroken);
  const nonce = kept?.['nonce'];
  if (kept?.['attempt'] === digest && typeof nonce === 'string') return nonce;
  const fresh = randomBytes(16).toString('hex');
  await removeFile(path);
  await writeToml(path, { attempt: digest, nonce: fresh });
  return fresh;
}

/** Called after the identity is on disk. */
export async function endEnrollment(configDirectory: string): Promise<void> {
  await removeFile(attemptPath(configDirectory));
}

/** The file does not contain the key itself. */
function digestOf({ backendUrl, enrollmentKey, replaces = '' }: EnrollmentAttempt): string {
  return createHash('sha256')
    .update(JSON.stringify([backendUrl, enrollmentKey, replaces]))
    .digest('hex');
}

function ignoreBroken(error: unknown): undefined {
  if (!(error instanceof TomlFileError)) throw error;
}
