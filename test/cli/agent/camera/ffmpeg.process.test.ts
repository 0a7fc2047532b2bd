import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { decode } from 'jpeg-js';
import { expect, test, vi } from 'vitest';
import { ffmpegCamera, withoutCredentials } from '../../../../cli/agent/camera/ffmpeg.ts';
import { camerasOf } from '../../../../cli/agent/camera/spec.ts';
import { watchSource } from './camera-source.ts';
import { ffmpegOf } from './ffmpeg.ts';
import { freePort } from '../../../support/free-port.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { testWith } from '../../../support/tools.ts';
import { patienceMs, until, within } from '../../../support/until.ts';

const environment = { PATH: process.env['PATH'] ?? '' };

/** The pattern of ffmpeg, of that size. A mark on its line finds its process. */
const pattern = (mark: string, size = '320x240', encoder: readonly string[] = ['-c:v', 'mjpeg', '-q:v', '7']) =>
  ffmpegCamera({
    args: ['-re', '-f', 'lavfi', '-i', `testsrc=size=${size}:rate=20`, '-metadata', `title=${mark}`, ...encoder],
    environment,
  });

/** As a camera of the command line. */
function fromLine(text: string) {
  const [spec] = camerasOf([text]);
  if (spec?.kind !== 'ffmpeg') throw new Error('another kind of camera');
  return ffmpegCamera({ args: spec.args, environment });
}

testWith('ffmpeg')('pictures come out whole, and nothing of ffmpeg stays when nobody looks', async () => {
  const watched = watchSource(pattern('mark-whole'));
  await watched.has(10);
  for (const jpeg of watched.pictures) expect(decode(jpeg)).toMatchObject({ width: 320, height: 240 });
  expect(await ffmpegOf('mark-whole')).toBeDefined();
  await watched.running.stop();
  expect(await ffmpegOf('mark-whole')).toBeUndefined();
  expect(watched).toMatchObject({ broken: 0, failures: [] });
});

testWith('ffmpeg')('pictures of a camera that makes JPEGs pass as they are, with the tables it left out', async () => {
  await using watched = watchSource(pattern('mark-copy', '320x240', ['-c:v', 'mjpeg', '-bsf:v', 'mjpeg2jpeg']));
  await watched.has(3);
  expect(decode(watched.pictures[0] ?? Buffer.of())).toMatchObject({ width: 320, height: 240 });
});

testWith('ffmpeg')('a program that is killed, as by an unplugged camera, is told of', async () => {
  await using watched = watchSource(pattern('mark-killed'));
  await watched.has(3);
  process.kill((await ffmpegOf('mark-killed')) ?? 0, 'SIGKILL');
  expect(await watched.fails()).toBe('ffmpeg was ended by SIGKILL');
});

testWith('ffmpeg')('pictures that are too large are told of, with what helps', async () => {
  await using watched = watchSource(
    pattern('mark-large', '4096x4096', ['-vf', 'noise=alls=100:allf=t', '-c:v', 'mjpeg', '-q:v', '1']),
  );
  expect(await watched.fails()).toMatch(/^its pictures are too large: \d+ KiB or more, at most 896 KiB; lower/);
  await until(async () => (await ffmpegOf('mark-large')) === undefined);
});

testWith('ffmpeg')('a device that is not there is told of in the words of ffmpeg', async () => {
  await using watched = watchSource(fromLine('v4l2:/dev/video77?size=640x480&fps=5&input_format=mjpeg'));
  expect(await watched.fails()).toBe('Cannot open video device /dev/video77: No such file or directory');
});

testWith('ffmpeg')('an address that does not answer is told of without its password', async () => {
  const port = await freePort();
  await using watched = watchSource(fromLine(`rtsp://admin:top-secret@127.0.0.1:${port}/stream?user=x&pw=top-secret`));
  const reason = await watched.fails();
  expect(reason).toContain('Connection refused');
  expect(reason).not.toContain('top-secret');
});

testWith('ffmpeg')('one that takes the connection and says nothing ends when it is told to', async () => {
  const sockets: { destroy(): void }[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await until(() => server.address() !== null);
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const watched = watchSource(fromLine(`rtsp://127.0.0.1:${port ?? 0}/mark-silent`));
  await until(() => sockets.length > 0);
  const beganMs = performance.now();
  await watched.running.stop();
  expect(performance.now() - beganMs).toBeLessThan(15_000);
  expect(await ffmpegOf('mark-silent')).toBeUndefined();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('an ffmpeg that cannot be killed does not delay the end of its camera, and no other is started beside it', async () => {
  await using folder = await tempDir();
  const mark = join(folder.path, 'pid');
  await writeFile(join(folder.path, 'ffmpeg'), `#!/bin/sh\necho $$ > ${mark}\nexec sleep 600\n`, { mode: 0o700 });
  const camera = ffmpegCamera({ args: [], environment: { PATH: `${folder.path}:${environment.PATH}` } });
  const started = async () => {
    const watched = watchSource(camera);
    await within(
      until(async () => Number(await readFile(mark, 'utf8')) > 0),
      patienceMs,
      () => `ffmpeg is not started: ${watched.failures.join(', ')}`,
    );
    return { watched, pid: Number(await readFile(mark, 'utf8')) };
  };
  const { watched, pid } = await started();
  {
    // As for one that has become another user.
    using kills = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    await within(watched.running.stop(), patienceMs, () => 'the camera does not end');
    expect(kills).toHaveBeenCalledWith(-pid, 'SIGKILL');
  }
  expect(await watchSource(camera).fails()).toBe(`ffmpeg of an earlier run, process ${pid}, cannot be killed`);
  await rm(mark);
  process.kill(pid, 'SIGKILL');
  await until(async () =>
    readFile(`/proc/${pid}/stat`).then(
      () => false,
      () => true,
    ),
  );
  const next = await started();
  expect(next.pid).not.toBe(pid);
  await next.watched.running.stop();
});

test('a machine without ffmpeg is told of', async () => {
  await using watched = watchSource(ffmpegCamera({ args: ['-i', 'x'], environment: { PATH: '/nowhere' } }));
  expect(await watched.fails()).toBe('v4l2: and rtsp: cameras require ffmpeg, which is not installed');
});

test('addresses in what ffmpeg says lose name, password and query', () => {
  expect(withoutCredentials('rtsp://a:b@host/x?p=1: Connection refused')).toBe('rtsp://host/x: Connection refused');
  expect(withoutCredentials('rtsp://host/x?user=a&pw=b:c: Connection refused')).toBe(
    'rtsp://host/x: Connection refused',
  );
  expect(withoutCredentials('Connection to tcp://a:b@10.0.0.9:554?timeout=0 failed')).toBe(
    'Connection to tcp://10.0.0.9:554 failed',
  );
});
