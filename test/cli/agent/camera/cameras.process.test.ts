import { expect, test } from 'vitest';
import { decode } from 'jpeg-js';
import { testPicture } from '../../../../cli/agent/camera/test-pattern.ts';
import { startCameraDesk } from './camera-harness.ts';
import { listen } from '../../../support/cli.ts';
import { testWith } from '../../../support/tools.ts';
import { until } from '../../../support/until.ts';

const multipart = { 'Content-Type': 'multipart/x-mixed-replace; boundary=f' };
const jpeg = testPicture({ width: 64, height: 48 }, new Date(0));
const part = (picture: Buffer) =>
  Buffer.concat([Buffer.from(`--f\r\nContent-Length: ${picture.length}\r\n\r\n`), picture]);

/** A camera that tells how often it was looked at, and how many look now. */
async function countedCamera(perSecond = 50, picture = jpeg) {
  const counts = { begun: 0, now: 0, sent: 0 };
  const camera = await listen((_request, response) => {
    counts.begun += 1;
    counts.now += 1;
    response.writeHead(200, multipart);
    const send = () => {
      counts.sent += 1;
      response.write(part(picture));
    };
    send();
    const timer = setInterval(send, 1000 / perSecond);
    response.on('close', () => {
      clearInterval(timer);
      counts.now -= 1;
    });
  });
  return { counts, url: camera.url, [Symbol.asyncDispose]: () => camera[Symbol.asyncDispose]() };
}

test('a camera is looked through by its name, and by nobody’s the first one is', async () => {
  await using desk = await startCameraDesk(['front=test:?size=64x48', 'arm=test:?size=32x16']);
  for (const [name, width] of [
    [undefined, 64],
    ['front', 64],
    ['arm', 32],
  ] as const) {
    const stream = await desk.look(name);
    await stream.has(1);
    expect(decode(stream.pictures[0] ?? Buffer.of()).width).toBe(width);
  }
  const nowhere = { type: 'refused', reason: 'not_found', message: 'no camera rear on this robot; it has front, arm' };
  expect(await desk.open('rear')).toMatchObject(nowhere);
  expect(await desk.open('__proto__')).toMatchObject({ reason: 'not_found' });
});

test('one source serves all who look, each at the pace that they want', async () => {
  await using camera = await countedCamera(50);
  await using desk = await startCameraDesk([camera.url]);
  const fast = await desk.look();
  const slow = await desk.look(undefined, 4);
  const seen = () => [fast, slow].map(({ pictures }) => pictures.length) as [number, number];
  await slow.has(1);
  const [fastBefore, slowBefore] = seen();
  const startedAt = performance.now();
  await fast.has(fastBefore + 80);
  const [fastAfter, slowAfter] = seen();
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(slowAfter - slowBefore).toBeGreaterThanOrEqual(3);
  expect(slowAfter - slowBefore).toBeLessThanOrEqual(4 * seconds + 1);
  expect(fastAfter - fastBefore).toBeGreaterThan(2 * (slowAfter - slowBefore));
  slow.rate(null);
  await slow.has(slowAfter + 20);
  slow.rate('all'); // what is no rate changes nothing
  await slow.has(slowAfter + 40);
  expect(camera.counts.begun).toBe(1);
});

test('the source goes on for a while after the last one left, and who comes back sees a picture at once', async () => {
  await using camera = await countedCamera(1 / 3_600); // one at once, and no other while the test goes on
  await using desk = await startCameraDesk([camera.url], { lingerMs: 3_000, silentAfterMs: 60_000 });
  const first = await desk.look();
  await first.has(1);
  first.leave();
  await first.closed;
  const back = await desk.look();
  await back.has(1);
  expect(camera.counts).toMatchObject({ begun: 1, now: 1 });
  back.leave();
  await until(() => camera.counts.now === 0);
  await (await desk.look()).has(1);
  expect(camera.counts.begun).toBe(2);
});

test('who does not read gets the newest picture later, and none of those between', async () => {
  const large = Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe1, 0xff, 0xff]),
    Buffer.alloc(65_533),
    jpeg.subarray(2),
  ]);
  await using camera = await countedCamera(60, large);
  await using desk = await startCameraDesk([camera.url]);
  const [slow, other] = [await desk.look(), await desk.look()];
  await slow.has(1);
  slow.pause();
  const before = slow.pictures.length;
  const sentBefore = camera.counts.sent;
  await until(() => camera.counts.sent > sentBefore + 300);
  await other.has(200);
  slow.resume();
  await slow.has(before + 1);
  const sent = camera.counts.sent - sentBefore;
  await new Promise((resolve) => setTimeout(resolve, 500));
  // Some megabytes are on their way in the system itself.
  expect(slow.pictures.length - before).toBeLessThan(sent * 0.7);
});

test('a source that fails ends all who look, with its reason, and is left alone for a moment', async () => {
  let attempts = 0;
  await using camera = await listen((_request, response) => {
    attempts += 1;
    response.writeHead(200, multipart).write(part(jpeg));
    setTimeout(() => response.end(), 200);
  });
  await using desk = await startCameraDesk([`front=${camera.url}`], { maxRestMs: 3_000 });
  const [one, other] = await Promise.all([desk.look('front'), desk.look('front')]);
  const end = { code: 1011, reason: 'camera front: it ended the stream' };
  expect(await Promise.all([one.closed, other.closed])).toEqual([end, end]);
  expect(attempts).toBe(1);
  expect(await desk.open('front')).toMatchObject({ reason: 'failed', message: end.reason });
  expect(attempts).toBe(1);
  expect(desk.told[1]).toBe('camera front: it ended the stream. Retrying when the camera is opened');
  await until(async () => !('type' in (await desk.open('front'))));
  await until(() => attempts === 2);
});

test('a source that hangs, and one whose pictures are all broken, fail', async () => {
  await using hanging = await listen((_request, response) => response.writeHead(200, multipart).flushHeaders());
  await using broken = await countedCamera(60, jpeg.subarray(0, 300));
  await using desk = await startCameraDesk([`a=${hanging.url}`, `b=${broken.url}`], { silentAfterMs: 1_500 });
  const [a, b] = await Promise.all([desk.look('a'), desk.look('b')]);
  expect(await a.closed).toEqual({ code: 1011, reason: 'camera a: no picture arrived for 1.5 s' });
  expect(await b.closed).toEqual({ code: 1011, reason: 'camera b: its pictures are broken' });
});

testWith('ffmpeg')('a long reason is cut to what a close takes, between its characters', async () => {
  await using desk = await startCameraDesk([`front=v4l2:/dev/${'ö'.repeat(100)}`]);
  const { code, reason } = await (await desk.look('front')).closed;
  expect(code).toBe(1011);
  expect(reason).toMatch(/^camera front: Cannot open video device \/dev\/ö+…$/);
});

test('an agent that ends says so to who looks, and leaves no source behind', async () => {
  await using camera = await countedCamera();
  await using desk = await startCameraDesk([camera.url]);
  const stream = await desk.look();
  await stream.has(2);
  await desk.stop();
  expect(await stream.closed).toEqual({ code: 1012, reason: 'the agent was stopped' });
  await until(() => camera.counts.now === 0);
  expect(await desk.open()).toMatchObject({ reason: 'failed' });
});

test('a test camera shows the time, and no more pictures than it was told', async () => {
  await using desk = await startCameraDesk(['test:?fps=5']);
  const stream = await desk.look();
  await stream.has(1);
  const before = stream.pictures.length;
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(stream.pictures.length - before).toBeLessThanOrEqual(5 * seconds + 1);
  const [one, other] = stream.pictures;
  expect(one?.equals(other ?? Buffer.of())).toBe(false);
});

test('a camera that is wanted once in ten seconds is not taken for dead', async () => {
  await using desk = await startCameraDesk(['test:?size=32x16'], { silentAfterMs: 2_500 });
  const stream = await desk.look(undefined, 0.1);
  await stream.has(1);
  expect(await Promise.race([stream.closed, new Promise((resolve) => setTimeout(resolve, 5_500))])).toBeUndefined();
  expect(stream.pictures).toHaveLength(1);
});
