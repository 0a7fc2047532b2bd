import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { headRefusal, isTransient, refusal } from '../../api/api-errors.ts';
import { exchange, headerOf, withoutRetries, type Api } from '../../api/api.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { assertUnchanged, progressOf, type Artifact } from './releases-artifact.ts';

const chunkBytes = 1024 * 1024;
/** How long an upload may make no progress: it survives a restart of the service or a change of network. */
const maxStandstillMs = 60_000;
/** The same while another upload of this artifact runs, or the service moves the received bytes into its store. */
const maxBesideMs = 900_000;
const pauseMs = 2_000;

/**
 * Uploads the file, or its missing part, and resumes after a disconnect. Returns false if the service already had all
 * of it. Throws CliError if the service refuses it or the upload makes no progress.
 */
export async function uploadArtifact(call: Invocation, api: Api, path: string, artifact: Artifact): Promise<boolean> {
  const url = `${api.connection.baseUrl}/api/artifacts/${artifact.sha256}`;
  let [reached, isSent] = [-1, false];
  let stoppedAt: number | undefined;
  for (;;) {
    let refused: CliError | undefined;
    try {
      const here = await receivedBytes(call, api, url);
      if (here === undefined) return isSent;
      if (here > reached) [reached, stoppedAt] = [here, undefined];
      await assertUnchanged(path, artifact);
      isSent = true;
      refused = await sendFrom(call, api, url, path, artifact, here);
    } catch (error) {
      // The offset is read again: part of this upload may have arrived.
      const isBeside = error instanceof CliError && error.exit === exitCode.conflict;
      if (!isTransient(error) && !isBeside) throw error;
      if (stoppedAt === undefined) call.io.note(`The upload stopped and will resume: ${error.message}`);
      stoppedAt ??= performance.now();
      if (performance.now() - stoppedAt > (isBeside ? maxBesideMs : maxStandstillMs)) throw error;
      await pause(pauseMs);
    }
    if (refused) throw refused;
  }
}

/** Undefined once the service has the whole file. */
async function receivedBytes(call: Invocation, api: Api, url: string): Promise<number | undefined> {
  const reply = await exchange(withoutRetries(call), api.connection, { method: 'HEAD', url });
  if (reply.status === 200) return undefined;
  if (reply.status !== 204) throw headRefusal(reply, api.connection, new URL(url).pathname);
  return Number(headerOf(reply, 'upload-offset') ?? 0);
}

/** Returns the error if the quota of the org has no room: unlike other conflicts, it does not end by itself. */
async function sendFrom(
  call: Invocation,
  api: Api,
  url: string,
  path: string,
  artifact: Artifact,
  first: number,
): Promise<CliError | undefined> {
  const { size } = artifact;
  const file = await open(path);
  const progress = progressOf(call, 'Uploading', path, size, first);
  try {
    const stream = file.createReadStream({
      start: first,
      end: Math.max(0, size - 1),
      highWaterMark: chunkBytes,
      autoClose: false,
    });
    let sent = first;
    // Paused until it is piped: what is read before the connection is ready would be lost.
    stream.on('data', (chunk) => progress.at((sent += chunk.length))).pause();
    // For a file that became shorter, the service would wait for the rest.
    stream.on('end', () => sent < size && stream.destroy(new Error(`${path} ended early`)));
    const headers = {
      'Content-Type': 'application/octet-stream',
      ...(first > 0 && { 'Content-Range': `bytes ${first}-${size - 1}/${size}` }),
    };
    const body = { stream, bytes: size - first };
    const reply = await exchange(withoutRetries(call), api.connection, { method: 'PUT', url, body, headers });
    if (reply.status === 200) return undefined;
    await assertUnchanged(path, artifact);
    const error = refusal(reply, api.connection, url);
    if (headerOf(reply, 'x-quota') === undefined) throw error;
    return error.with({ hint: 'The release has no file. Once there is room, repeat the command to upload it' });
  } finally {
    progress.end();
    await file.close();
  }
}
