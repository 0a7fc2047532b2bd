import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Order, OrderState } from '../../generated/frames.js';
import { configHandler } from '../../cli/agent/configs/handler.ts';
import { orderManager } from '../../cli/agent/orders/order-manager.ts';
import type { Handler } from '../../cli/agent/orders/handler.ts';
import { handlerOf } from '../../cli/agent/orders/lanes.ts';
import { releaseRobot } from '../support/release-robot.ts';
import { smallDisk } from '../support/small-disk.ts';
import { configOrder, orderOf, sha256 } from '../support/orders.ts';
import { program, tgzOf } from '../support/tarball.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';

const steps = ['download', 'install', 'activate', 'verify', 'commit', 'rollback'] as const;
type Step = (typeof steps)[number];
const terminal = ['applied', 'failed', 'rolled_back'];
/** Part of each artifact: of some size, so that a full disk has no room for it. */
const ballast = 'x'.repeat(50_000);

const handlerOfMaps = `#!/bin/sh
set -e
cd "$SVC_STATE_DIR"
case $1 in
  capabilities) echo '{"rollback": true}';;
  install) cp "$SVC_ARTIFACT" new.part; mv new.part new;;
  activate) if test -e current; then ln -f current before; fi; mv new current;;
  verify) if grep -q sick current; then exit 1; fi; sha256sum current | sed 's/ .*//; s/^/running /';;
  rollback) if test -e before; then mv before current; fi;;
esac
`;

const kinds: { kind: string; artifact(tag: string, isGood: boolean): Buffer; where: string[]; tells: RegExp }[] = [
  {
    kind: 'file',
    artifact: (tag) => Buffer.from(`tag ${tag}${ballast}`),
    where: ['file', 'current'],
    tells: /^tag (\w+?)x/,
  },
  {
    kind: 'archive',
    artifact: (tag, isGood) =>
      tgzOf([
        { path: 'tag', content: `tag ${tag}` },
        { path: 'ballast', content: ballast },
        program('.svc/healthcheck', isGood ? 'exit 0' : 'exit 1'),
      ]),
    where: ['archive', 'current', 'tag'],
    tells: /^tag (\w+)/,
  },
  {
    kind: 'map',
    artifact: (tag, isGood) => Buffer.from(`tag ${tag}${isGood ? '' : ' sick'}${ballast}`),
    where: ['handlers', 'map', 'current'],
    tells: /^tag (\w+?)(?: sick)?x/,
  },
];

testWith('mount').each(kinds)(
  'a disk that is full from whatever step of a release of kind $kind on leaves the one before, or the new one, and room heals it',
  async ({ kind, artifact, where, tells }) => {
    using disk = smallDisk(1024 * 1024);
    await using dir = await tempDir();
    const artifacts = join(dir.path, 'artifacts');
    const handlers = join(dir.path, 'handlers');
    await mkdir(artifacts);
    await mkdir(handlers);
    await writeFile(join(handlers, 'map'), handlerOfMaps);
    await chmod(join(handlers, 'map'), 0o755);
    let fullFrom: Step | undefined;
    const reports: OrderState[] = [];
    const desk = orderManager({
      folder: join(disk.path, 'orders'),
      payloads: { backendUrl: 'http://127.0.0.1:9', token: 'none', socketOptions: {} },
      gates: async () => undefined,
      async handlerOf(task) {
        const releases = { artifacts, folder: join(disk.path, 'releases'), handlerFolders: [handlers] };
        const config = { folder: disk.path, environment: {} };
        const source = { backendUrl: 'http://127.0.0.1:9', token: 'none', socketOptions: {} };
        const made = await handlerOf({ config, releases }, source, task);
        const full = (step: Step) => step === fullFrom && disk.fill();
        const wrapped = steps.map((step) => [
          step,
          async (...args: never[]) => {
            full(step);
            return (made[step] as ((...args: never[]) => Promise<unknown>) | undefined)?.(...args);
          },
        ]);
        return { ...made, ...(Object.fromEntries(wrapped) as Handler) };
      },
      send: (frame) => frame.type === 'report' && reports.push(frame) > 0,
      tell: () => undefined,
      say: () => undefined,
    });
    await desk.open();

    async function deploy(tag: string, isGood: boolean): Promise<OrderState> {
      const content = artifact(tag, isGood);
      await writeFile(join(artifacts, sha256(content)), content);
      const release = { id: tag, tag, kind, artifact_sha256: sha256(content), artifact_size: content.length };
      const order: Order = orderOf(`release:${kind}`, JSON.stringify({ release }));
      desk.desired({ type: 'desired', hash: tag, items: [order] });
      const end = () => reports.find(({ order_id: id, status }) => id === order.order_id && terminal.includes(status));
      await expect.poll(end, { interval: 10 }).toBeDefined();
      return end() as OrderState;
    }
    const runs = async () => tells.exec(await readFile(join(disk.path, 'releases', ...where), 'utf8'))?.[1];

    let before = 'first';
    expect(await deploy(before, true)).toMatchObject({ status: 'applied' });
    const ends: Partial<Record<Step, string>> = {};
    for (const step of kind === 'file' ? steps.slice(0, -1) : steps) {
      fullFrom = step;
      const end = await deploy(`full${step}`, step !== 'rollback');
      ends[step] = `${end.status} ${end.reason ?? ''}`;
      expect(await runs(), `${step}: ${JSON.stringify(end)}`).toBe(end.status === 'applied' ? `full${step}` : before);
      if (end.status !== 'applied') expect(end.reason, JSON.stringify(end)).not.toBe('rollback_failed');
      if (end.status === 'applied') before = `full${step}`;
      disk.empty();
    }
    fullFrom = undefined;
    expect(await deploy('healed', true)).toMatchObject({ status: 'applied' });
    expect(await runs()).toBe('healed');
    // What takes no room goes on; what does has its own reason.
    expect(ends).toMatchObject({ download: 'failed no_space' });
    if (kind === 'archive')
      expect(ends).toMatchObject({ install: 'failed no_space', rollback: 'rolled_back verify_failed' });
    await desk.stop();
  },
);

testWith('mount')(
  'a file whose link finds no room on the disk leaves the one before, and is taken back without any',
  async () => {
    using disk = smallDisk(1024 * 1024);
    const robot = releaseRobot(disk.path);
    // Longer than what a link takes without a block of its own; on ext4 any is.
    const tagOf = (name: string) => name.repeat(100);
    const current = robot.path('releases', 'file', 'current');
    expect(await (await robot.order('file', 'one', tagOf('1'))).carry()).toMatchObject({ status: 'applied' });
    for (const step of ['activate', 'verify'] as const) {
      const order = await robot.order('file', step, tagOf('2'));
      const handler = await order.handler();
      const take = handler[step].bind(handler);
      Object.assign(handler, {
        async [step]() {
          disk.fill();
          if (step === 'verify') throw new Error('it is not well');
          return take();
        },
      });
      expect(await order.carry()).toMatchObject({ status: 'rolled_back' });
      expect(await readFile(current, 'utf8'), step).toBe('one');
      disk.empty();
    }
    expect(await (await robot.order('file', 'two', tagOf('3'))).carry()).toMatchObject({ status: 'applied' });
    expect(await readdir(robot.path('releases', 'file'))).not.toContain('.current.back');
  },
);

testWith('mount')('a config whose hook fills the disk and fails is taken back, as often as that begins', async () => {
  using disk = smallDisk(1024 * 1024);
  const folder = join(disk.path, 'config');
  const file = join(folder, 'default.json');
  await mkdir(folder);
  await writeFile(file, '{"speed": 1}', { mode: 0o640 });
  const order = configOrder([
    { key: 'speed', value: '2' },
    { namespace: 'fresh', key: 'a', value: '1' },
  ]);
  const { signal } = new AbortController();
  const onConfig = 'test "$SVC_PHASE" = rollback || { cat /dev/zero > "$FILLER"; exit 1; }';
  const environment = { PATH: process.env['PATH'] ?? '', FILLER: join(disk.path, 'filler') };
  const handler = configHandler(
    { folder, onConfig, environment },
    {
      order,
      payload: order.payload ?? '',
      directory: join(disk.path, 'order'),
      notes: {},
      save: async () => undefined,
      stopping: signal,
      interrupted: signal,
      progress: () => undefined,
      say: () => undefined,
    },
  );
  await handler.install?.();
  await handler.activate();
  await expect(handler.verify()).rejects.toMatchObject({ reason: 'hook_failed' });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ speed: 2 });
  for (let round = 0; round < 2; round += 1) {
    await handler.rollback?.({ reason: 'hook_failed', message: '' });
    expect(await readFile(file, 'utf8')).toBe('{"speed": 1}');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['default.json']);
  }
});

testWith('mount')(
  'what is left of a download that was given up makes room for the next one, and releases stay',
  async () => {
    using disk = smallDisk(1024 * 1024);
    await using dir = await tempDir();
    const robot = releaseRobot(disk.path, { artifacts: join(dir.path, 'artifacts') });
    const folderOf = (content: string) => robot.path('releases', 'file', sha256(content));
    const deploy = async (content: string, tag: string) => (await robot.order('file', content, tag)).carry();
    const [before, current, large] = ['before', 'current', 'x'.repeat(600_000)];
    expect(await deploy(before, 'v1')).toMatchObject({ status: 'applied' });
    expect(await deploy(current, 'v2.part')).toMatchObject({ status: 'applied' });
    await mkdir(folderOf('another one'), { recursive: true });
    await writeFile(join(folderOf('another one'), 'v3.part'), large);
    expect(await deploy(large, 'v4')).toMatchObject({ status: 'applied' });
    const kept = (await readdir(robot.path('releases', 'file'))).filter((name) => name !== 'current');
    expect(kept.sort()).toEqual([before, current, large].map((content) => sha256(content)).sort());
  },
);
