import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { httpCamera } from '../../../../cli/agent/camera/http.ts';
import { testPicture } from '../../../../cli/agent/camera/test-pattern.ts';
import { watchSource } from './camera-source.ts';
import { listen } from '../../../support/cli.ts';
import { freePort } from '../../../support/free-port.ts';
import { testWith } from '../../../support/tools.ts';
import { until } from '../../../support/until.ts';

const picture = testPicture({ width: 64, height: 48 }, new Date(0));
const multipart = { 'Content-Type': 'multipart/x-mixed-replace; boundary=frame' };
const part = (jpeg: Buffer, length = jpeg.length) =>
  Buffer.concat([Buffer.from(`--frame\r\nContent-Length: ${length}\r\n\r\n`), jpeg, Buffer.from('\r\n')]);

const cameraAt = (url: string) => httpCamera({ url: new URL(url) });

testWith('ffmpeg')('the stream of a real server is read picture by picture, until that goes away', async () => {
  const port = await freePort();
  const args = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=20', '-f', 'mpjpeg'];
  const type = ['-content_type', 'multipart/x-mixed-replace;boundary=ffmpeg', '-listen', '1'];
  await using server = keptServer([...args, ...type, `http://127.0.0.1:${port}/`]);
  // It takes one connection, which must not be one that only asks whether it is there.
  await until(async () => server.isListening(port));
  await using watched = watchSource(cameraAt(`http://127.0.0.1:${port}/`));
  await watched.has(10);
  expect(watched.broken).toBe(0);
  for (const jpeg of watched.pictures) expect(jpeg.readUInt16BE(jpeg.length - 2)).toBe(0xffd9);
  server.kill();
  expect(await watched.fails()).toMatch(/ended the stream|hang up|ECONNRESET|aborted/);
});

test('one picture is asked for again and again, as often as wanted', async () => {
  const asked: number[] = [];
  await using camera = await listen((_request, response) => {
    asked.push(performance.now());
    response.setHeader('Content-Type', 'image/jpeg').end(picture);
  });
  await using watched = watchSource(cameraAt(`${camera.url}/shot.jpg`), 8);
  await watched.has(4);
  expect(watched.pictures.at(-1)).toEqual(picture);
  expect((asked[3] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(3 * 100);
  watched.running.pace(1);
  const before = asked.length;
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(asked.length - before).toBeLessThan((performance.now() - startedAt) / 1_000 + 3);
});

test('a name and a password go to the camera, and into no reason', async () => {
  const seen: (string | undefined)[] = [];
  await using camera = await listen((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  await using watched = watchSource(cameraAt(camera.url.replace('//', '//operator:top-secret@')));
  expect(await watched.fails()).toBe('it responds with 401: the name and password are missing or wrong');
  expect(seen).toEqual([`Basic ${Buffer.from('operator:top-secret').toString('base64')}`]);
});

test.each<[string, (response: ServerResponse) => void, string]>([
  ['404', (response) => response.writeHead(404).end('none'), 'it responds with 404'],
  [
    'a page',
    (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    'it sends text/html, not image/jpeg or a multipart stream of it',
  ],
  [
    'another address',
    (response) => response.writeHead(302, { Location: 'http://elsewhere.example/?password=x' }).end(),
    'it redirects, to elsewhere.example, which is not followed: use that address',
  ],
  ['a stream that ends', (response) => response.writeHead(200, multipart).end(part(picture)), 'it ended the stream'],
  [
    'a stream without a boundary',
    (response) => response.writeHead(200, { 'Content-Type': 'multipart/x-mixed-replace' }).end(),
    'its stream has no boundary',
  ],
  [
    'a part of 100 MB',
    (response) => response.writeHead(200, multipart).write(part(picture, 100_000_000)),
    'its pictures are too large: 97657 KiB or more, at most 896 KiB; lower their size or quality',
  ],
  [
    'one picture of 2 MB',
    (response) => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(Buffer.alloc(2_000_000, 0xff)),
    'its pictures are too large: 896 KiB or more, at most 896 KiB; lower their size or quality',
  ],
])('a camera that answers %s fails, and it is said why', async (_, answer, reason) => {
  await using camera = await listen((_request, response) => answer(response));
  await using watched = watchSource(cameraAt(camera.url));
  expect(await watched.fails()).toBe(reason);
  expect(watched.failures).toHaveLength(1);
});

test('a camera that is not there, and one that breaks off, fail', async () => {
  await using gone = watchSource(cameraAt(`http://127.0.0.1:${await freePort()}/`));
  expect(await gone.fails()).toContain('ECONNREFUSED');
  await using camera = await listen((_request, response) => {
    response.writeHead(200, multipart).write(part(picture));
    setTimeout(() => response.destroy(), 50);
  });
  await using cut = watchSource(cameraAt(camera.url));
  await cut.has(1);
  expect(await cut.fails()).not.toBe('');
});

test('half pictures are left out, and whole ones that trickle in are not', async () => {
  await using camera = await listen((_request, response) => {
    response.writeHead(200, multipart);
    response.write(part(picture.subarray(0, 400)));
    const slowly = part(picture);
    let sent = 0;
    const timer = setInterval(() => response.write(slowly.subarray(sent, (sent += 50))), 1);
    response.on('close', () => clearInterval(timer));
  });
  await using watched = watchSource(cameraAt(camera.url));
  await watched.has(1);
  expect(watched.pictures).toEqual([picture]);
  expect(watched.broken).toBe(1);
});

test('a camera that is not looked at any more hears of it', async () => {
  let closed = false;
  await using camera = await listen((_request, response) => {
    response.writeHead(200, multipart).write(part(picture));
    response.on('close', () => (closed = true));
  });
  const watched = watchSource(cameraAt(camera.url));
  await watched.has(1);
  await watched.running.stop();
  await until(() => closed);
  expect(watched.failures).toEqual([]);
});

function keptServer(args: readonly string[]) {
  const child = spawn('ffmpeg', ['-nostdin', '-loglevel', 'error', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    kill: () => void child.kill('SIGKILL'),
    async isListening(port: number): Promise<boolean> {
      const hex = port.toString(16).toUpperCase().padStart(4, '0');
      return (await readFile('/proc/net/tcp', 'utf8')).includes(`:${hex} 00000000:0000 0A`);
    },
    async [Symbol.asyncDispose]() {
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await gone;
    },
  };
}
