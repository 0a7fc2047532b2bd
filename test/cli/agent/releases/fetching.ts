import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fetchArtifact } from '../../../../cli/agent/releases/fetch.ts';
import type { Release } from '../../../../cli/agent/releases/release.ts';
import { listen } from '../../../support/cli.ts';
import { tempDir } from '../../../support/temp-dir.ts';

export const bytes = randomBytes(600_000);
export const sha256 = createHash('sha256').update(bytes).digest('hex');
export const release: Release = { id: 'r', tag: 'nav', kind: 'file', sha256, size: bytes.length };

type Answer = (request: IncomingMessage, response: ServerResponse, call: number) => void;

/** A server that answers as it likes, and records what it is asked. */
export async function recording(answer: Answer) {
  const asked: { url: string; headers: IncomingMessage['headers'] }[] = [];
  const server = await listen((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    answer(request, response, asked.length - 1);
  });
  return Object.assign(server, { asked, calls: () => asked.length });
}

/** Fetches from a service that answers as it likes, and first from a cache if the order names one. */
export async function fetching(answer: Answer, artifactBaseUrl?: string) {
  const dir = await tempDir();
  const server = await recording(answer);
  const path = join(dir.path, 'artifact.part');
  const stopping = new AbortController();
  const progress: (string | undefined)[] = [];
  const told: string[] = [];
  const tell = (name: string, message: string) => void told.push(`${name}: ${message}`);
  return {
    path,
    progress,
    stopping,
    told,
    asked: server.asked,
    calls: server.calls,
    fetch: (of: Partial<Release> = {}) =>
      fetchArtifact(
        path,
        { ...release, ...of },
        { backendUrl: server.url, token: 'svc-token', socketOptions: {}, troubles: { is: tell, over: tell } },
        {
          interrupted: stopping.signal,
          progress: (_percent, text) => void progress.push(text),
          ...(artifactBaseUrl !== undefined && { order: { artifact_base_url: artifactBaseUrl } }),
        },
      ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

export const firstOf = (range: string | undefined) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);

/** As the service answers. */
export function give(request: IncomingMessage, response: ServerResponse, upTo = bytes.length) {
  const first = firstOf(request.headers.range);
  const range = first > 0 ? { 'Content-Range': `bytes ${first}-${bytes.length - 1}/${bytes.length}` } : {};
  response.writeHead(first > 0 ? 206 : 200, { 'Content-Length': bytes.length - first, ...range });
  response.write(bytes.subarray(first, upTo), () => (upTo < bytes.length ? response.destroy() : response.end()));
}

/** The whole file, or the rest of it. */
export const giveAll: Answer = (request, response) => give(request, response);
