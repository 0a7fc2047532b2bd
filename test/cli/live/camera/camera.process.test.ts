import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictureSplitter } from '../../../../cli/agent/camera/split.ts';
import { testPicture } from '../../../../cli/agent/camera/test-pattern.ts';
import { cameraRobot, startCameraService } from './camera-scene.ts';
import { factories } from '../../../support/factories.ts';
import { runLine } from '../../../support/shell-line.ts';
import { startShellScene } from '../../../support/shell-scene.ts';
import { testWith } from '../../../support/tools.ts';
import { until } from '../../../support/until.ts';

const camera = (...args: string[]) => ['robots', 'camera', 'amr-007', ...args];
const flags = ['--camera', 'front=test:?size=160x120&fps=20', '--camera', 'gone=v4l2:/dev/video77'];

/** All pictures of a stream of them; fails where something stands between. */
function picturesIn(bytes: Buffer): Buffer[] {
  const pictures: Buffer[] = [];
  const fail = (what: string) => {
    throw new Error(what);
  };
  pictureSplitter({ picture: (jpeg) => void pictures.push(jpeg), broken: () => fail('broken'), failed: fail })(bytes);
  expect(Buffer.concat(pictures)).toEqual(bytes);
  return pictures;
}

test('pictures go into a file, a folder or a pipe, as the camera made them', async () => {
  await using scene = await startShellScene({ flags });
  const path = (name: string) => join(scene.home.path, name);
  expect(await scene.home.cli(camera('--once', '--out', path('now.jpg')))).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(picturesIn(await readFile(path('now.jpg')))).toHaveLength(1);

  const saving = scene.home.start(
    camera('--camera', 'front', '--save', path('deep/pictures'), '--out', path('all.mjpeg')),
  );
  await until(async () => (await readdir(path('deep/pictures'))).length >= 5);
  saving.kill('SIGTERM');
  expect(await saving.ended).toMatchObject({ code: 143, stderr: '' });
  const names = (await readdir(path('deep/pictures'))).sort();
  expect(names[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.jpg$/);
  const saved = await Promise.all(names.map((name) => readFile(join(path('deep/pictures'), name))));
  expect(picturesIn(await readFile(path('all.mjpeg')))).toEqual(saved);

  const piped = await runLine(scene, 'cli robots camera amr-007 --out - | head -c 30000; echo ${PIPESTATUS[0]} >code');
  expect(piped.stdout.readUInt16BE(0)).toBe(0xffd8);
  expect(piped.stderr).toBe('');
  expect((await runLine(scene, 'cat code')).stdout.toString()).toBe('0\n');
});

testWith('ffmpeg')('what cannot be is refused with its own code and a sentence', async () => {
  await using scene = await startShellScene({ flags });
  const { home, world } = scene;
  const out = ['--once', '--out', join(home.path, 'x.jpg')];
  const refused = (...args: string[]) => home.cli(camera(...args));
  expect(await refused()).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('--out <file.mjpeg>') as string,
  });
  expect(await refused('--fps', '61', ...out)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('0.1 to 60') as string,
  });
  expect((await refused('--out', '/nowhere/x.jpg')).stderr).toContain('the pictures cannot be written: ENOENT');
  expect(await refused('--camera', 'rear', ...out)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('rear') as string,
  });
  expect(await refused('--camera', 'gone', ...out)).toMatchObject({
    code: 1,
    stderr:
      'Error: camera gone: Cannot open video device /dev/video77: No such file or directory\n  Show the robot and its health with: cli robots inspect amr-007\n',
  });
  expect((await home.cli(['robots', 'camera', 'amr-008', ...out])).code).toBe(5);
  expect((await home.cli(camera(...out), { env: { SERVICE_TOKEN: `svc_org_${'0'.repeat(64)}` } })).code).toBe(4);
  const viewer = await factories(world).userToken('viewer');
  expect((await home.cli(camera(...out), { env: { SERVICE_TOKEN: viewer } })).code).toBe(0);
  scene.agent.kill('SIGTERM');
  await scene.agent.ended;
  const away = await refused(...out);
  expect(away).toMatchObject({ code: 9, stderr: expect.stringContaining('cli robots inspect amr-007') as string });
});

test('--out keeps the file that is there until there is a picture, and leaves nothing else behind', async () => {
  await using scene = await startShellScene({ flags });
  const { home } = scene;
  const folder = join(home.path, 'kept');
  const [file, link, locked] = ['old.jpg', 'link.jpg', 'locked.jpg'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(folder);
  await writeFile(file, 'old', { mode: 0o640 });
  await symlink(file, link);
  expect((await home.cli(camera('--once', '--camera', 'rear', '--out', link))).code).not.toBe(0);
  expect(await readFile(file, 'utf8')).toBe('old');
  expect((await readdir(folder)).sort()).toEqual(['link.jpg', 'old.jpg']);
  expect((await home.cli(camera('--once', '--out', link))).code).toBe(0);
  expect((await readFile(file)).readUInt16BE(0)).toBe(0xffd8);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect((await readdir(folder)).sort()).toEqual(['link.jpg', 'old.jpg']);
  expect(await home.cli(camera('--once', '--out', '/dev/full'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the pictures cannot be written: ENOSPC') as string,
  });
  expect(await home.cli(camera('--once', '--out', join(locked, 'x.jpg')))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`ENOENT: no such file or directory, open '${join(locked, 'x.jpg')}'`) as string,
  });
});

test('an agent without cameras has none to show', async () => {
  await using scene = await startShellScene({ flags: [] });
  const { code, stderr } = await scene.home.cli(camera('--once', '--out', join(scene.home.path, 'x.jpg')));
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/camera/);
});

testWith('tmux')(
  'on the terminal it is drawn in its colours, x saves what is seen, and q quits all as it was',
  async () => {
    await using scene = await startShellScene({ flags });
    await using person = await scene.person({ TERM: 'xterm-256color' });
    const before = await person.modes();
    await person.type(`cd '${scene.home.path}'; cli robots camera amr-007\r`);
    await person.sees(/amr-007 · front · \d\.\d fps · \d+ kB\/s · 0\.\d s old .*x saves, q quits/);
    expect(await person.screenState()).toMatchObject({ isAlternate: true, hasCursor: false });
    const lines = (await person.screen()).split('\n');
    // 160 × 120 in 46 rows of dots.
    expect(lines.slice(0, 23).every((line) => line === '▀'.repeat(61))).toBe(true);
    const colours = await person.colours();
    for (const [red, green, blue] of [
      [235, 16, 16],
      [16, 235, 16],
      [16, 16, 235],
    ])
      expect(
        colours.some(
          ([r, g, b]) => Math.abs(r - (red ?? 0)) + Math.abs(g - (green ?? 0)) + Math.abs(b - (blue ?? 0)) < 60,
        ),
      ).toBe(true);
    await person.resize(60, 15);
    await person.sees(/^▀{37}$/m);
    await person.type('x');
    await person.sees(/saved amr-007-front-.*\.jpg/);
    const saved = (await readdir(scene.home.path)).filter((name) => name.startsWith('amr-007-front-'));
    expect(picturesIn(await readFile(join(scene.home.path, saved[0] ?? '')))).toHaveLength(1);
    await person.type('q');
    await person.sees(/^local>$/m);
    expect(await person.modes()).toBe(before);
    expect(await person.screenState()).toEqual({ isAlternate: false, hasCursor: true, hasMouse: false });
    await person.type('echo "code $?"\r');
    await person.sees('code 0');
  },
);

testWith('tmux').each([
  ['Ctrl-C', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s leaves the terminal as it was, with %d', async (how, code) => {
  await using service = await startCameraService();
  await using person = await service.person();
  const before = await person.modes();
  await person.type(`cli robots camera ${cameraRobot}; echo "code $?"\r`);
  await person.sees('no picture yet');
  await service.send(testPicture({ width: 160, height: 120 }, new Date(0)));
  await person.sees('▀▀');
  if (how === 'Ctrl-C') await person.type('\u0003');
  else await person.signal(how);
  await person.sees(`code ${code}`);
  expect(await person.modes()).toBe(before);
  expect(await person.screenState()).toMatchObject({ isAlternate: false, hasCursor: true });
});

testWith('tmux')('without colours it is drawn in letters', async () => {
  await using service = await startCameraService();
  await using person = await service.person({ NO_COLOR: '1' });
  await person.type(`cli robots camera ${cameraRobot}\r`);
  await person.sees('no picture yet');
  await service.send(testPicture({ width: 160, height: 120 }, new Date(0)));
  await person.sees(/^[ .:=+*#%@-]{40,61}$/m);
  expect(await person.colours()).toEqual([]);
});

testWith('tmux')(
  'pictures that are none, bombs and a name with an escape do no harm, and the next good one is shown',
  async () => {
    await using service = await startCameraService();
    await using person = await service.person();
    await person.type(`cli robots camera ${cameraRobot}\r`);
    await person.sees('no picture yet');
    await person.sees('amr-␛[31m007 · front');
    const good = testPicture({ width: 160, height: 120 }, new Date(0));
    const bomb = Buffer.from(good);
    bomb.fill(0xff, bomb.indexOf(Buffer.from([0xff, 0xc0])) + 5, bomb.indexOf(Buffer.from([0xff, 0xc0])) + 9);
    await service.send(bomb);
    await person.sees('a picture cannot be shown: it is too large, 65535 × 65535');
    await service.send(Buffer.from('\u001b]0;title\u0007 no picture'));
    await person.sees('a picture cannot be shown: it is not a JPEG');
    await service.send('{"type":"text"}');
    await service.send(good);
    await person.sees('▀▀');
    // Larger than anything that is taken: the connection ends, and comes again.
    await service.send(Buffer.alloc(5 * 1024 * 1024));
    await person.sees('retrying in');
    await until(() => service.sockets.size === 1);
    await service.send(good);
    await person.sees(/ fps · .* s old/);
    expect((await person.screenState()).isAlternate).toBe(true);
  },
);

testWith('tmux')('a camera that fails says why, is tried again, and is shown when it is back', async () => {
  await using service = await startCameraService();
  await using person = await service.person();
  await person.type(`cli robots camera ${cameraRobot}\r`);
  await person.sees('no picture yet');
  const why = 'camera front: Cannot open video device /dev/video0: No such file or directory';
  await service.close(1011, why);
  await person.sees('camera front: Cannot open video device /dev/video0: No such file or directory\n');
  await person.sees('retrying in');
  await until(() => service.sockets.size === 1);
  await service.send(testPicture({ width: 160, height: 120 }, new Date(0)));
  await person.sees('▀▀');
  await person.sees(/ fps · .* s old/);
  expect(await person.screen()).not.toContain('Cannot open');
});
