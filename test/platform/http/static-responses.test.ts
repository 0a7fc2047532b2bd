import { once } from 'node:events';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { expect, test } from 'vitest';
import { serveAsset } from '../../../src/docs-site/reference/docs-page.ts';
import { staticResponse } from '../../../src/platform/http/listener/static-responses.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startWorld } from '../../support/world.ts';

const pages = ['/docs', '/docs/try', '/docs/streams', '/docs/roles', '/docs/changelog'];
const assets = ['redoc.js', 'page.js', 'page.css', 'plain.css', 'swagger-ui.js', 'try.js', 'try.css'].map(
  (name) => `/docs/${name}`,
);
const documents = ['/openapi.json', '/openapi-3.0.json', '/asyncapi.json', '/docs/openapi.json', '/schemas'];

/** The answer as it came over the wire: fetch would unpack it. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const request = get(url, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [
    NodeJS.ReadableStream & { statusCode: number; headers: IncomingHttpHeaders },
  ];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** A router on a socket of its own. */
async function serve(path: string, handler: express.RequestHandler) {
  const server = createServer(express().disable('etag').get(path, handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

test('pages, what they load and documents are packed for who takes gzip, and the same to who does not', async () => {
  await using world = await startWorld();
  for (const path of [...pages, ...assets, ...documents, '/portal/style.css']) {
    const plain = await ask(`${world.url}${path}`);
    const packed = await ask(`${world.url}${path}`, { 'Accept-Encoding': 'br, gzip' });
    expect([path, plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
      path,
      undefined,
      'gzip',
    ]);
    expect([plain.headers.vary, packed.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    for (const { headers, body } of [plain, packed]) expect(headers['content-length']).toBe(String(body.length));
    expect(gunzipSync(packed.body).equals(plain.body), path).toBe(true);
    expect(packed.body.length, path).toBeLessThan(plain.body.length / 1.5);
    const refused = await ask(`${world.url}${path}`, { 'Accept-Encoding': 'gzip;q=0' });
    expect(refused.body.equals(plain.body), path).toBe(true);
  }
});

test('who has a page or what it loads asks each time, and is told so by a strong ETag of the form that they have', async () => {
  await using world = await startWorld();
  for (const path of [...pages, ...assets, '/portal/style.css']) {
    const url = `${world.url}${path}`;
    const tags: unknown[] = [];
    for (const coding of ['identity', 'gzip']) {
      const { headers } = await ask(url, { 'Accept-Encoding': coding });
      expect([path, headers['cache-control']]).toEqual([path, 'no-cache']);
      const { etag = '' } = headers;
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      tags.push(etag);
      const again = await ask(url, { 'Accept-Encoding': coding, 'If-None-Match': etag });
      expect([again.status, again.headers.etag, again.headers.vary, again.body.length]).toEqual([
        ...[304, etag, 'Accept-Encoding', 0],
      ]);
      expect((await ask(url, { 'Accept-Encoding': coding, 'If-None-Match': '"another"' })).status).toBe(200);
    }
    expect(new Set(tags).size).toBe(2);
  }
});

test('a file of another release has another tag, though its date and its length are the same', async () => {
  await using folder = await tempDir();
  const tags: unknown[] = [];
  for (const [release, text] of Object.entries({ older: 'a { top: 1px }', newer: 'a { top: 2px }' })) {
    const assetsDir = join(folder.path, release);
    await mkdir(assetsDir);
    await writeFile(join(assetsDir, 'page.css'), text);
    await utimes(join(assetsDir, 'page.css'), 499_162_500, 499_162_500); // as npm packs every file
    await using server = await serve('/page.css', serveAsset(assetsDir, 'page.css'));
    const { headers, body } = await ask(server.url);
    expect([headers['content-type'], headers['last-modified'], String(body)]).toEqual([
      ...['text/css; charset=utf-8', undefined, text],
    ]);
    tags.push(headers.etag);
  }
  expect(new Set(tags).size).toBe(2);
});

test('what could not be made for one who asked is made for the next, and then no more', async () => {
  let calls = 0;
  const make = () => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return 'ready';
  };
  const handler = staticResponse({ 'Content-Type': 'text/plain' }, make);
  await using server = await serve('/page', async (request, response, next) => {
    await Promise.resolve(handler(request, response, next)).catch(() => response.status(503).end());
  });
  expect((await ask(server.url)).status).toBe(503);
  const answers = await Promise.all([ask(server.url), ask(server.url)]);
  expect(answers.map(({ body }) => String(body))).toEqual(['ready', 'ready']);
  expect(calls).toBe(2);
});
