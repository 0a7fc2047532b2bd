import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { mayPass, refusal } from '../api-errors.ts';
import { exchange, headerOf, type Api } from '../api.ts';
import { CliError } from '../errors.ts';
import type { Invocation } from '../spec.ts';
import { progressOf, type Artifact } from './releases-artifact.ts';

const chunkBytes = 1024 * 1024;
/** How often in a row an upload may stop without one more byte being there. */
const maxStops = 5;
const pauseMs = 2_000;

/**
 * Brings the file to the service, or what it lacks of it, and goes on after a cut. Gives false where all of it was there already.
 * Throws CliError: what the service refuses, and what no longer gets on.
 */
export async function uploadArtifact(call: Invocation, api: Api, path: string, artifact: Artifact): Promise<boolean> {
  const url = new URL(`/api/artifacts/${artifact.sha256}`, api.connection.baseUrl).href;
  let [reached, stops, isSent] = [-1, 0, false];
  for (;;) {
    try {
      const here = await receivedBytes(call, api, url);
      if (here === undefined) return isSent;
      if (here > reached) [reached, stops] = [here, 0];
      isSent = true;
      await sendFrom(call, api, url, path, artifact, here);
    } catch (error) {
      // Somebody else uploads it too, or a part of ours came after all: how much is there is asked anew.
      const isBeside = error instanceof CliError && error.code === 'conflict';
      stops += 1;
      if ((!mayPass(error) && !isBeside) || stops > maxStops) throw error;
      await pause(pauseMs);
    }
  }
}

/** Undefined once the service has all of it. */
async function receivedBytes(call: Invocation, api: Api, url: string): Promise<number | undefined> {
  const reply = await exchange(call, api.connection, 'HEAD', url);
  if (reply.status === 200) return undefined;
  // The answer to HEAD has no body that could say more.
  if (reply.status !== 204) throw new CliError(`the service answered ${reply.status} when asked for the artifact`);
  return Number(headerOf(reply, 'upload-offset') ?? 0);
}

async function sendFrom(
  call: Invocation,
  api: Api,
  url: string,
  path: string,
  { size }: Artifact,
  first: number,
): Promise<void> {
  const file = await open(path);
  const progress = progressOf(call, 'Uploading', path, size, first);
  try {
    const stream = file.createReadStream({ start: first, highWaterMark: chunkBytes, autoClose: false });
    let sent = first;
    stream.on('data', (chunk) => progress.at((sent += chunk.length)));
    const headers = {
      'Content-Type': 'application/octet-stream',
      ...(first > 0 && { 'Content-Range': `bytes ${first}-${size - 1}/${size}` }),
    };
    const reply = await exchange(call, api.connection, 'PUT', url, { stream, bytes: size - first }, headers);
    if (reply.status !== 200) throw refusal(reply, api.connection, url);
  } finally {
    progress.end();
    await file.close();
  }
}
