import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { IsolatedWorld, World } from './world.ts';

export const octets = { 'Content-Type': 'application/octet-stream' };
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A release of so many random bytes, which are not uploaded. */
export async function released(world: World, size: number) {
  const bytes = randomBytes(size);
  const artifact = { artifact_sha256: sha256(bytes), artifact_size: size };
  const { status } = await world.call('POST', '/api/releases', {
    body: { tag: `t${artifact.artifact_sha256}`, ...artifact },
  });
  expect(status).toBe(201);
  return { bytes, path: `/api/artifacts/${artifact.artifact_sha256}` };
}

export const put = (world: World, path: string, body: Buffer, headers: Record<string, string> = {}) =>
  world.call('PUT', path, { body, headers: { ...octets, ...headers } });

export const part = (bytes: Buffer, first: number, last: number) => ({
  body: bytes.subarray(first, last + 1),
  headers: { 'Content-Range': `bytes ${first}-${last}/${bytes.length}` },
});

export async function get(world: World, path: string, headers: Record<string, string> = {}, token = world.orgToken) {
  const response = await fetch(`${world.url}${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

export const incoming = (world: IsolatedWorld) => readdir(join(world.dataDir, 'artifacts', 'incoming')).catch(() => []);

/** Starts an upload and disconnects after some of its bytes. */
export async function cut(
  world: World,
  path: string,
  bytes: Buffer,
  sent: number,
  headers: Record<string, string> = {},
) {
  const request = httpRequest(`${world.url}${path}`, {
    method: 'PUT',
    headers: {
      ...octets,
      Authorization: `Bearer ${world.orgToken}`,
      'Content-Length': String(bytes.length),
      ...headers,
    },
  });
  request.on('error', () => undefined);
  await new Promise<void>((resolve) => request.write(bytes.subarray(0, sent), () => resolve()));
  const offset = async () => (await world.call('HEAD', path)).headers.get('upload-offset');
  await expect.poll(offset).toBe(String(Number(headers['Content-Range']?.match(/\d+/)?.[0] ?? 0) + sent));
  request.destroy();
}
