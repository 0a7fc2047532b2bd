import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test as always } from 'vitest';
import { parseRunArguments } from '../../../../cli/agent/releases/containers/arguments.ts';
import { referenceOf } from '../../../../cli/agent/releases/containers/pull.ts';
import { runningOf } from '../../../../cli/agent/releases/kinds.ts';
import type { ReleaseSettings } from '../../../../cli/agent/releases/release.ts';
import { stateOf } from '../../../support/agent-process.ts';
import { startContainerRobot, type ContainerRobot } from './container-robot.ts';
import { sha256 } from '../../../support/orders.ts';
import { runs, startPodman, testWithPodman as test, type Podman } from '../../../support/podman.ts';

let podman: Podman;
let good: Buffer;

beforeAll(async () => {
  podman = await startPodman();
  good = await podman.archive('nav:1', runs('nav 1'));
});

afterAll(async () => {
  await podman[Symbol.asyncDispose]();
});

/** Id, start and image of the container that has the name. */
const current = async () => {
  const format = '{{.ID}} {{.State.StartedAt}} {{.Image}}';
  const [id, startedAt, image] = (await podman.podman('container', 'inspect', '--format', format, 'fleet-release'))
    .trim()
    .split(/ (?=\d{4}-)| (?=[0-9a-f]{64}$)/);
  return { id, startedAt, image };
};

/** What is told of the release that runs. */
const told = (robot: ContainerRobot, environment: Record<string, string> = podman.env) =>
  runningOf(
    {
      folder: join(stateOf(robot.home), 'releases'),
      environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...environment },
    } as Partial<ReleaseSettings> as ReleaseSettings,
    'container_image',
    new AbortController().signal,
  );

test('a release runs as a container; one that crashes gives its place back to the same container, the next one takes it', async () => {
  const crashing = await podman.archive('nav:2', 'CMD ["/bin/sh", "-c", "echo starting; echo no map >&2; exit 3"]');
  const better = await podman.archive('nav:3', runs('nav 3'), 'oci-archive');
  await using robot = await startContainerRobot(podman);
  await robot.setArguments('# the colour of this robot\n--env COLOUR=red\n\n--hostname=amr-007\n--uts=private\n');
  const agent = robot.start();
  await agent.sees('Connected');
  expect(await told(robot)).toBeNull();
  expect(await robot.deploy(good)).toMatchObject({ status: 'applied', digest: sha256(good) });
  const first = await current();
  const shell = ['exec', 'fleet-release', '/bin/sh', '-c'];
  expect(await podman.podman(...shell, 'echo $COLOUR > /mine; hostname')).toBe('amr-007\n');

  const bad = await robot.deploy(crashing, 'v2');
  expect(bad).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
  expect(bad.message).toMatch(/^the container ended with exit code 3/);
  expect(bad.message).toContain('no map');
  expect(await podman.containers()).toEqual(['fleet-release running']);
  expect((await current()).id).toBe(first.id);
  expect(await podman.podman(...shell, '/bin/busybox cat /mine')).toBe('red\n');
  expect(await told(robot)).toBe(sha256(good));
  expect(await podman.images()).toEqual([first.image]);

  expect(await robot.deploy(better, 'v3')).toMatchObject({ status: 'applied', digest: sha256(better) });
  const third = await current();
  expect(await podman.containers()).toEqual(['fleet-release running']);
  expect(await podman.images()).toEqual([first.image, third.image].toSorted());
  expect(await readdir(join(stateOf(robot.home), 'releases', 'container_image', 'images'))).toHaveLength(2);
  await expect.poll(() => readdir(join(stateOf(robot.home), 'orders'))).toHaveLength(4);
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
  expect(await current()).toEqual(third);
  expect(await told(robot)).toBe(sha256(better));
  expect(robot.server.messages('release:container_image').join('\n')).toContain('Loaded image');

  // The one before is still there: it needs no file.
  const again = robot.start();
  expect(await robot.deployWithoutFile(good)).toMatchObject({ status: 'applied', digest: sha256(good) });
  await podman.podman('stop', 'fleet-release');
  expect(await told(robot)).toBeNull();
  await expect(told(robot, { PATH: '' })).rejects.toThrow('could not be started');
  again.kill('SIGTERM');
  await again.ended;
});

test('the first release of a robot that does not run well leaves nothing behind', async () => {
  await using robot = await startContainerRobot(podman);
  robot.start();
  const sick = await podman.archive('nav:sick', `${runs('sick')}\nHEALTHCHECK --interval=1h --retries=1 CMD exit 1`);
  const order = await robot.order(sick);
  robot.server.give(order);
  await robot.server.until(() => robot.server.statusesOf(order).includes('verifying'));
  // What a systemd timer does elsewhere.
  await expect(podman.podman('healthcheck', 'run', 'fleet-release')).rejects.toThrow();
  expect(await robot.server.endOf(order)).toMatchObject({
    status: 'rolled_back',
    reason: 'verify_failed',
    message: expect.stringMatching(/unhealthy[^]*sick/),
  });
  expect(await podman.containers()).toEqual([]);
  expect(await podman.images()).toEqual([]);
  expect(await told(robot)).toBeNull();

  const slow = await podman.archive('nav:slow', `${runs('slow')}\nHEALTHCHECK --interval=1h CMD true`);
  const next = await robot.order(slow);
  robot.server.give(next);
  const looks = async () => (await robot.calls()).filter((call) => call === 'container inspect fleet-release').length;
  await robot.server.until(() => robot.server.statusesOf(next).includes('verifying'));
  const before = await looks();
  // It has run for long enough by then.
  await expect.poll(looks).toBeGreaterThan(before + 8);
  expect(robot.server.statusesOf(next).at(-1)).toBe('verifying');
  await podman.podman('healthcheck', 'run', 'fleet-release');
  expect(await robot.server.endOf(next)).toMatchObject({ status: 'applied' });
});

test('what is no image, or has arguments that the engine refuses, leaves the one that runs as it is', async () => {
  const next = await podman.archive('nav:2', runs('two'));
  await using robot = await startContainerRobot(podman);
  robot.start();
  await robot.deploy(good);
  const untouched = await current();
  const garbage = Buffer.alloc(100_000, 'no image');
  expect(await robot.deploy(garbage)).toMatchObject({
    status: 'failed',
    reason: 'install_failed',
    message: expect.stringContaining('does not match any of the supported image formats'),
  });
  const refused: [string, object][] = [
    ['--no-such-flag', { reason: 'activate_failed', message: expect.stringContaining('unknown flag: --no-such-flag') }],
    ['--rm', { reason: 'bad_arguments', message: expect.stringContaining('--rm, which the agent sets') }],
    ['localhost/other-image', { reason: 'activate_failed' }],
  ];
  for (const [text, failure] of refused) {
    await robot.setArguments(text);
    expect(await robot.deploy(next), text).toMatchObject({ status: 'rolled_back', ...failure });
  }
  expect(await current()).toEqual(untouched);
  expect(await podman.containers()).toEqual(['fleet-release running']);
  expect(await podman.images()).toEqual([untouched.image]);
});

test('an image for another machine gives its place back to the one that ran', async () => {
  const alien = await podman.archive('nav:alien', 'COPY alien /alien\nCMD ["/alien"]');
  await using robot = await startContainerRobot(podman);
  robot.start();
  await robot.deploy(good);
  const { id, image } = await current();
  expect(await robot.deploy(alien)).toMatchObject({
    status: 'rolled_back',
    reason: 'verify_failed',
    message: expect.stringMatching(/exit code 1[^]*exec format error/),
  });
  expect(await current()).toMatchObject({ id, image });
  expect(await podman.containers()).toEqual(['fleet-release running']);
  expect(await podman.images()).toEqual([image]);
});

test("a container that is not the agent's keeps its name, and a robot without an engine fails before anything is fetched", async () => {
  await using robot = await startContainerRobot(podman);
  robot.start();
  await podman.podman('create', '--name', 'fleet-release', '--network', 'host', 'localhost/base', '/bin/sh');
  expect(await robot.deploy(good)).toMatchObject({ status: 'failed', reason: 'name_taken' });
  expect(await podman.containers()).toEqual(['fleet-release created']);
  await podman.podman('rm', 'fleet-release');
  await robot.plan('away ^ps');
  expect(await robot.deployWithoutFile(good)).toMatchObject({ status: 'failed', reason: 'no_engine' });
  expect(await robot.deployWithoutFile(good)).toMatchObject({
    status: 'failed',
    reason: 'no_engine',
    message: expect.stringContaining('podman ps: it could not be started'),
  });
});

test('an engine that is away for a while is waited for, on the way forward and on the way back', async () => {
  const crashing = await podman.archive('nav:2', 'CMD ["/bin/sh", "-c", "exit 3"]');
  await using robot = await startContainerRobot(podman);
  robot.start();
  const awayAt = async (moment: string, archive: Buffer) => {
    await robot.plan(`away ${moment}`);
    const order = await robot.order(archive);
    robot.server.give(order);
    await expect.poll(robot.planned).toEqual([]);
    await robot.putBack();
    return robot.server.endOf(order);
  };
  expect(await awayAt('^container inspect fleet-release$', good)).toMatchObject({ status: 'applied' });
  const { id } = await current();
  expect(await awayAt('^rename .*release$', good)).toMatchObject({ status: 'rolled_back', reason: 'activate_failed' });
  expect((await current()).id).toBe(id);
  expect(await awayAt('^logs', crashing)).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
  expect((await current()).id).toBe(id);
  expect(await podman.containers()).toEqual(['fleet-release running']);
});

test('an image is pulled by its digest, without a file', async () => {
  await using registry = await podman.serve(runs('pulled'));
  await using robot = await startContainerRobot(podman);
  robot.start();
  const { reference } = registry;
  const digest = reference.split('sha256:')[1];
  expect(await robot.deployReference(reference)).toMatchObject({ status: 'applied', digest });
  expect(await told(robot)).toBe(digest);
  expect(await robot.deployReference(reference.replace(/.{4}$/, '0000'))).toMatchObject({
    status: 'failed',
    reason: 'download_failed',
    message: expect.stringContaining('manifest unknown'),
  });
  expect(await podman.containers()).toEqual(['fleet-release running']);
});

always("the operator's arguments are words, one a line, an option with its value behind it", () => {
  const text = '# all of it\n--privileged\n  --env A=b c \n\n-v\t/data:/data\n--label=a b\nword of three words\n';
  const words = ['--privileged', '--env', 'A=b c', '-v', '/data:/data', '--label=a b', 'word of three words'];
  expect(parseRunArguments(text)).toEqual(words);
});

always('only a tag that names the digest of the artifact is pulled, and never an option of the engine', () => {
  const [sha, other] = ['a'.repeat(64), 'b'.repeat(64)];
  const release = { id: 'r', kind: 'container_image', size: 1, sha256: sha };
  expect(referenceOf({ ...release, tag: `host:5000/nav/app@sha256:${sha}` })).toBe(`host:5000/nav/app@sha256:${sha}`);
  for (const tag of [`nav@sha256:${other}`, `--all@sha256:${sha}`, `nav:1@sha256:${sha} x`, 'nav:1', `@sha256:${sha}`])
    expect(referenceOf({ ...release, tag }), tag).toBeUndefined();
});
