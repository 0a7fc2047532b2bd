import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpack } from '../../../../cli/agent/releases/unpack.ts';
import { sha256 } from '../../../support/orders.ts';
import { releaseRobot, stop, type ReleaseRobot } from '../../../support/release-robot.ts';
import { program, tarOf, tgzOf, type TarMember } from '../../../support/tarball.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const currentOf = (robot: ReleaseRobot) => robot.path('releases', 'archive', 'current');
const releasesOf = async (robot: ReleaseRobot) =>
  (await readdir(robot.path('releases', 'archive', 'releases'))).filter((name) => !name.endsWith('.members'));

/** Of one tag, with a restart that tells what it is started in. */
const nav = (tag: string, more: readonly TarMember[] = []) =>
  tgzOf([
    { path: './', type: 'Directory' },
    { path: './nav.txt', content: tag },
    program('./.svc/restart', `echo "${tag} $SVC_PHASE" >> "$SVC_WORK_DIR/../../../../restarts"`),
    ...more,
  ]);

test('an archive is unpacked, switched to in one step, restarted, and proven by what is there', async () => {
  await using dir = await tempDir();
  const robot = releaseRobot(dir.path);
  const artifact = nav('one', [
    { path: 'bin/', type: 'Directory', mode: 0o2777 },
    { path: 'bin/nav', content: 'x', mode: 0o4755 & 0o777, uid: 1234 },
    { path: 'lib/deep/er/so', content: 'y'.repeat(100_000), mode: 0o666 },
    { path: 'lib/so', type: 'SymbolicLink', linkpath: 'deep/er/so' },
    { path: 'bin/again', type: 'Link', linkpath: './bin/nav' },
    program('.svc/healthcheck', 'pwd; test "$(cat nav.txt)" = one'),
  ]);
  const order = await robot.order('archive', artifact, 'v1');
  expect(await order.carry()).toEqual({ status: 'applied', digest: sha256(artifact) });
  const current = currentOf(robot);
  expect(await readlink(current)).toBe(`releases/${sha256(artifact)}`);
  expect(await readFile(join(current, 'lib', 'so'), 'utf8')).toBe('y'.repeat(100_000));
  const [tool, again, library, folder] = await Promise.all(
    ['bin/nav', 'bin/again', 'lib/deep/er/so', 'bin'].map((name) => stat(join(current, name))),
  );
  expect(again?.ino).toBe(tool?.ino);
  expect(tool).toMatchObject({ uid: process.getuid?.(), mode: 0o100755, mtime: new Date('2026-11-01T00:00:00Z') });
  expect([library?.mode, folder?.mode]).toEqual([0o100644, 0o040755]);
  expect(await readFile(robot.path('restarts'), 'utf8')).toBe('one apply\n');
  expect(robot.lines).toEqual([`release:archive: ${robot.path('releases', 'archive', 'releases', sha256(artifact))}`]);
  expect(await robot.running('archive')).toBe(sha256(artifact));
  expect((await stat(robot.path('releases', 'archive', 'releases'))).mode & 0o077).toBe(0);
});

test('what tar itself packs is unpacked: long names, many files, with and without gzip', async () => {
  await using dir = await tempDir();
  const from = join(dir.path, 'from');
  const long = `${'d'.repeat(90)}/${'e'.repeat(90)}/${'f'.repeat(90)}`;
  await mkdir(join(from, long), { recursive: true });
  await writeFile(join(from, long, 'é file'), 'long');
  for (let at = 0; at < 300; at += 1) await writeFile(join(from, `f${at}`), String(at));
  await symlink(`${long}/é file`, join(from, 'link'));
  const task = { interrupted: new AbortController().signal, progress: () => undefined };
  for (const [name, ...flags] of [
    ['gnu', '--format=gnu'],
    ['pax', '--format=pax', '-z'],
    ['ustar', '--format=ustar', '--exclude=ddd*', '--exclude=link'],
  ] as const) {
    const archive = join(dir.path, name);
    execFileSync('tar', ['-C', from, '-cf', archive, ...flags, '.']);
    const { byPlace } = await unpack(archive, join(dir.path, `${name}.d`), task);
    expect(byPlace.has('f299')).toBe(true);
    expect(await readFile(join(dir.path, `${name}.d`, 'f299'), 'utf8')).toBe('299');
    if (name !== 'ustar') expect(await readFile(join(dir.path, `${name}.d`, 'link'), 'utf8')).toBe('long');
  }
});

const hostile: [what: string, members: readonly TarMember[], message: string][] = [
  ['a path with ..', [{ path: 'a/../../x' }], 'points outside'],
  ['an absolute path', [{ path: '/tmp/x' }], 'points outside'],
  ['a symlink to an absolute path', [{ path: 'l', type: 'SymbolicLink', linkpath: '/etc' }], 'points outside'],
  ['a symlink upwards', [{ path: 'a/l', type: 'SymbolicLink', linkpath: '../../x' }], 'points outside'],
  [
    'symlinks that lead out together',
    [
      { path: 'deep/er/up', type: 'SymbolicLink', linkpath: '..' },
      { path: 'out', type: 'SymbolicLink', linkpath: 'deep/er/up/../..' },
    ],
    'points outside',
  ],
  [
    'symlinks in a ring',
    [
      { path: 'a', type: 'SymbolicLink', linkpath: 'b' },
      { path: 'b', type: 'SymbolicLink', linkpath: 'a' },
    ],
    'points outside',
  ],
  [
    'a file behind a symlink',
    [
      { path: 'l', type: 'SymbolicLink', linkpath: '.' },
      { path: 'l/x', content: 'x' },
    ],
    'as a symlink and as a folder',
  ],
  [
    'a symlink over a folder with files',
    [
      { path: 'l/x', content: 'x' },
      { path: 'l', type: 'SymbolicLink', linkpath: '.' },
    ],
    'as a folder and as a symlink',
  ],
  ['a file that is a folder too', [{ path: 'a' }, { path: 'a/b' }], 'as a file and as a folder'],
  ['a hard link to a file of the robot', [{ path: 'l', type: 'Link', linkpath: '/etc/passwd' }], 'points outside'],
  ['a hard link upwards', [{ path: 'l', type: 'Link', linkpath: '../x' }], 'points outside'],
  ['a hard link to what is not there', [{ path: 'l', type: 'Link', linkpath: 'x' }], 'not a file of the archive'],
  [
    'a hard link to a symlink',
    [
      { path: 's', type: 'SymbolicLink', linkpath: 'x' },
      { path: 'l', type: 'Link', linkpath: 's' },
    ],
    'not a file of the archive',
  ],
  ['a device', [{ path: 'null', type: 'CharacterDevice' }], 'is a CharacterDevice'],
  ['a fifo', [{ path: 'pipe', type: 'FIFO' }], 'is a FIFO'],
  ['a program that runs as another user', [{ path: 'su', mode: 0o4755 }], 'as another user'],
  ['a sparse file', [{ path: 'a/GNUSparseFile.7/disk' }], 'is a sparse file'],
  ['a file for the folder itself', [{ path: './' }, { path: '.', content: 'x' }], 'not a valid name for a file'],
];

test.each(hostile)('an archive with %s is refused, and nothing of it is left', async (_what, members, message) => {
  await using dir = await tempDir();
  const robot = releaseRobot(join(dir.path, 'robot'));
  // What is before it does not save it, nor does what follows.
  const order = await robot.order('archive', tarOf([{ path: 'first', content: '1' }, ...members, { path: 'z' }]));
  const outcome = await order.carry();
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad_archive' });
  expect(outcome?.message).toContain(message);
  expect(await readdir(robot.path('releases', 'archive', 'releases'))).toEqual([]);
  expect(await readdir(dir.path)).toEqual(['robot']);
  await expect(stat(currentOf(robot))).rejects.toThrow('ENOENT');
});

test('what is no archive, is cut or damaged, or is larger than the disk is refused with its reason', async () => {
  await using dir = await tempDir();
  const robot = releaseRobot(dir.path);
  const whole = tgzOf([{ path: 'a', content: 'x'.repeat(10_000) }]);
  const plain = tarOf([{ path: 'a', content: 'x'.repeat(10_000) }]);
  const damaged = Buffer.from(plain).fill('!', 0, 20);
  for (const [artifact, reason] of [
    [Buffer.from('#!/bin/sh\n'), 'bad_archive'],
    [Buffer.alloc(0), 'bad_archive'],
    [whole.subarray(0, -20), 'bad_archive'],
    [plain.subarray(0, 5_000), 'bad_archive'],
    [damaged, 'bad_archive'],
    [gzipSync(Buffer.alloc(100_000, '?')), 'bad_archive'],
    [gzipSync(whole), 'bad_archive'],
    [tarOf([{ path: 'bomb', size: 2 ** 42 }]), 'no_space'],
  ] as const) {
    const outcome = await (await robot.order('archive', artifact)).carry();
    expect(outcome, outcome?.message ?? '').toMatchObject({ status: 'failed', reason });
    expect(await readdir(robot.path('releases', 'archive', 'releases'))).toEqual([]);
  }
  // What follows the end of a tar is not even read: it may be endless.
  const tail = gzipSync(Buffer.concat([plain, randomBytes(2_000_000)])).subarray(0, 1_000_000);
  expect(await (await robot.order('archive', tail)).carry()).toMatchObject({ status: 'applied' });
});

test('a release that is not well is taken back, and the one before it restarted; three are kept', async () => {
  await using dir = await tempDir();
  const robot = releaseRobot(dir.path);
  const [one, two] = [nav('one'), nav('two')];
  await (await robot.order('archive', one)).carry();
  const sick = nav('sick', [program('.svc/healthcheck', 'echo no lidar; exit 3')]);
  expect(await (await robot.order('archive', sick)).carry()).toEqual({
    status: 'rolled_back',
    reason: 'verify_failed',
    message: '.svc/healthcheck: it exited with 3\nno lidar',
  });
  expect(await robot.running('archive')).toBe(sha256(one));
  expect(await readFile(robot.path('restarts'), 'utf8')).toBe('one apply\nsick apply\none rollback\n');
  expect(await releasesOf(robot)).toEqual([sha256(one)]);
  const stubborn = nav('two', [program('.svc/restart', 'exit 1')]);
  expect(await (await robot.order('archive', stubborn)).carry()).toMatchObject({ reason: 'activate_failed' });
  for (const artifact of [two, nav('three'), nav('four')])
    expect(await (await robot.order('archive', artifact)).carry()).toMatchObject({ status: 'applied' });
  expect((await releasesOf(robot)).sort()).toEqual([sha256(two), sha256(nav('three')), sha256(nav('four'))].sort());
  // One that is here need not come again.
  await rm(robot.path('artifacts'), { recursive: true });
  await mkdir(robot.path('artifacts'));
  const back = await robot.order('archive', two);
  await rm(robot.path('artifacts'), { recursive: true });
  expect(await back.carry()).toEqual({ status: 'applied', digest: sha256(two) });
});

test('a first release that is not well leaves nothing', async () => {
  await using dir = await tempDir();
  const robot = releaseRobot(dir.path);
  const order = await robot.order('archive', nav('one', [program('.svc/healthcheck', 'exit 1')]));
  expect(await order.carry()).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
  expect(await readdir(robot.path('releases', 'archive'))).toEqual(['releases']);
  expect(await releasesOf(robot)).toEqual([]);
  expect(await robot.running('archive')).toBeNull();
});

test('a member that is changed, or gone, is no proof any more; what a program puts beside it is its own business', async () => {
  await using dir = await tempDir();
  const robot = releaseRobot(dir.path);
  const artifact = nav('one', [{ path: 'lib/so', content: 'x' }]);
  await (await robot.order('archive', artifact)).carry();
  await writeFile(join(currentOf(robot), 'lib', 'cache'), 'x');
  expect(await robot.running('archive')).toBe(sha256(artifact));
  await appendFile(join(currentOf(robot), 'nav.txt'), '!');
  const drifted = await robot.running('archive');
  expect(drifted).toMatch(/^[0-9a-f]{64}$/);
  expect(drifted).not.toBe(sha256(artifact));
  // The same release again repairs it, beside the one that still runs until then.
  expect(await (await robot.order('archive', artifact)).carry()).toMatchObject({ status: 'applied' });
  expect(await readlink(currentOf(robot))).toBe(`releases/${sha256(artifact)}.1`);
  expect(await robot.running('archive')).toBe(sha256(artifact));
  await rm(join(currentOf(robot), 'lib'), { recursive: true });
  expect(await robot.running('archive')).not.toBe(sha256(artifact));
});

test('an agent that ends in the middle of a step goes on with it, and two programs of an order never run at once', async () => {
  await using dir = await tempDir();
  const robot = releaseRobot(dir.path);
  const artifact = nav('one', [
    program('.svc/healthcheck', 'echo $$ >> ../../../../checks; test -e ../../../../second || exec sleep 60'),
  ]);
  const order = await robot.order('archive', artifact);
  const first = order.carry();
  const checks = () => readFile(robot.path('checks'), 'utf8').catch(() => '');
  await expect.poll(checks).toMatch(/\n$/);
  stop(robot);
  expect(await first).toBeUndefined();
  await writeFile(robot.path('second'), '');
  expect(await order.again().carry()).toMatchObject({ status: 'applied' });
  expect((await checks()).trim().split('\n')).toHaveLength(2);
});
