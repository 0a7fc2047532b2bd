import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kindsOf } from '../../../../cli/agent/releases/kinds.ts';
import { isAlive, markOf } from '../../../../cli/files/process-mark.ts';
import type { ReleaseSettings } from '../../../../cli/agent/releases/release.ts';
import { sha256 } from '../../../support/orders.ts';
import { releaseRobot, stop, type ReleaseRobot } from '../../../support/release-robot.ts';
import { tempDir } from '../../../support/temp-dir.ts';

interface HandlerRobot extends ReleaseRobot, AsyncDisposable {
  /** The states that it was called with, in order. */
  calls(): Promise<string[]>;
  /** Another executable for maps. */
  put(lines: string, folder?: string): Promise<void>;
}

/** A robot with an executable for maps: it proves what it should but for what `lines` of the shell do in a state. */
async function robotWith(lines: string, changes: Partial<ReleaseSettings> = {}): Promise<HandlerRobot> {
  const dir = await tempDir();
  const folders = [join(dir.path, 'etc'), join(dir.path, 'own')];
  for (const folder of folders) await mkdir(folder);
  const calls = join(dir.path, 'calls');
  const robot: HandlerRobot = Object.assign(releaseRobot(dir.path, { handlerFolders: folders, ...changes }), {
    calls: async () => (await readFile(calls, 'utf8').catch(() => '')).split('\n').slice(0, -1),
    async put(text: string, folder = 'own') {
      const path = join(dir.path, folder, 'map');
      const whole = `#!/bin/sh\necho $1 >> ${calls}\n${text}\ncase $1 in verify) echo running $SVC_ARTIFACT_SHA256;; esac\n`;
      await writeFile(`${path}.new`, whole);
      await chmod(`${path}.new`, 0o755);
      await rename(`${path}.new`, path);
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  });
  await robot.put(lines);
  return robot;
}

const canGoBack = `case $1 in capabilities) echo '{"rollback": true}';; esac\n`;

test('an executable is called once for each state, with what it needs and nothing else', async () => {
  await using robot = await robotWith(`
case $1 in
  capabilities) exit 0;;
  download) test ! -e "$SVC_ARTIFACT" || exit 1;;
  install) pwd; cat "$SVC_ARTIFACT"; echo; echo progress 40 halfway; echo progress 400 no; env | sort >&2;;
esac`);
  const order = await robot.order('map', 'a map', 'maps/7');
  expect(await order.carry()).toEqual({ status: 'applied', digest: sha256('a map') });
  const states = ['capabilities', 'download', 'install', 'activate', 'verify', 'commit', 'cleanup'];
  expect(await robot.calls()).toEqual(states);
  expect(robot.progress).toEqual(['40 halfway']);
  const work = join(order.task.directory, 'work');
  const variables = robot.lines.filter((line) => line.includes('=')).map((line) => line.replace('handler:map: ', ''));
  expect(robot.lines.filter((line) => !line.includes('='))).toEqual(
    [work, 'a map', 'progress 400 no'].map((line) => `handler:map: ${line}`),
  );
  expect(variables.filter((line) => !/^(PWD|PATH|SHLVL|_|OLDPWD)=/.test(line))).toEqual([
    `SVC_ARTIFACT=${join(order.task.directory, 'artifact', 'maps_7')}`,
    `SVC_ARTIFACT_SHA256=${sha256('a map')}`,
    'SVC_ARTIFACT_SIZE=5',
    'SVC_DEPLOYMENT_ID=d-1',
    'SVC_KIND=map',
    `SVC_ORDER_ID=${order.record.order.order_id}`,
    'SVC_PROTOCOL=1',
    expect.stringMatching(/^SVC_RELEASE_ID=/),
    'SVC_RELEASE_TAG=maps/7',
    `SVC_STATE_DIR=${robot.path('releases', 'handlers', 'map')}`,
    `SVC_WORK_DIR=${work}`,
  ]);
});

const failures: [what: string, lines: string, outcome: object, last: string][] = [
  ['refuses the order', 'test $1 != download || exit 9', { status: 'failed', reason: 'download_failed' }, 'download'],
  [
    'fails to install',
    'if test $1 = install; then echo no room; exit 1; fi',
    { status: 'failed', reason: 'install_failed', message: 'handler install: it exited with 1\nno room' },
    'install',
  ],
  [
    'fails when it takes effect',
    `${canGoBack}test $1 != activate || exit 1`,
    { status: 'rolled_back', reason: 'activate_failed' },
    'rollback',
  ],
  [
    'fails and knows no way back',
    'test $1 != activate || exit 1',
    { status: 'failed', reason: 'activate_failed' },
    'activate',
  ],
  [
    'proves another digest',
    `${canGoBack}if test $1 = verify; then echo running ${'0'.repeat(64)}; exit 0; fi`,
    { status: 'rolled_back', reason: 'verify_failed', message: `handler verify reports that ${'0'.repeat(64)} runs` },
    'rollback',
  ],
  [
    'proves nothing',
    `${canGoBack}test $1 != verify || exit 0`,
    { status: 'rolled_back', reason: 'verify_failed', message: 'handler verify printed no running version' },
    'rollback',
  ],
  [
    'fails to go back',
    `${canGoBack}case $1 in activate | rollback) exit 4;; esac`,
    { status: 'failed', reason: 'rollback_failed' },
    'rollback',
  ],
  [
    'hangs, forks, and does not listen',
    `if test $1 = capabilities; then echo '{"rollback": true, "timeouts": {"activate": 1}}'; fi
trap '' TERM; test $1 != activate || (sleep 60 & sleep 60)`,
    { status: 'rolled_back', reason: 'timed_out', message: 'handler activate: it took longer than 1 s and was ended' },
    'rollback',
  ],
  [
    'is killed',
    `${canGoBack}test $1 != activate || kill -9 $$`,
    { status: 'rolled_back', message: 'handler activate: it was ended by SIGKILL' },
    'rollback',
  ],
  [
    'writes what is no text, and without end of line',
    `${canGoBack}if test $1 = verify; then head -c 3000000 /dev/urandom; exit 1; fi`,
    { status: 'rolled_back', reason: 'verify_failed' },
    'rollback',
  ],
  [
    'closes its outputs',
    `${canGoBack}if test $1 = verify; then exec >&- 2>&-; sleep 0.3; exit 5; fi`,
    { status: 'rolled_back', message: 'handler verify: it exited with 5' },
    'rollback',
  ],
  [
    'leaves something that holds its outputs open',
    `${canGoBack}if test $1 = activate; then sleep 3 & exit 6; fi`,
    { status: 'rolled_back', message: 'handler activate: it exited with 6' },
    'rollback',
  ],
];

test.each(failures)(
  'an executable that %s: the release before runs, for one reason',
  async (_what, lines, outcome, last) => {
    await using robot = await robotWith(lines);
    const found = await (await robot.order('map', 'a map')).carry();
    expect(found).toMatchObject(outcome);
    expect(Buffer.byteLength(found?.message ?? '')).toBeLessThanOrEqual(4096);
    expect((await robot.calls()).slice(-2)).toEqual([last, 'cleanup']);
  },
);

test('an executable that writes as much as it can costs no memory, and the last lines are kept', async () => {
  await using robot = await robotWith('if test $1 = install; then seq 200000; exit 1; fi');
  robot.lines.push = () => 0;
  const outcome = await (await robot.order('map', 'a map')).carry();
  expect(outcome?.message).toMatch(/^handler install: it exited with 1\n199981\n/);
  expect(outcome?.message).toMatch(/200000$/);
});

test('a token that an executable writes stays on the robot', async () => {
  const token = `svc_robot_${sha256('secret')}`;
  await using robot = await robotWith(
    `test $1 != install || { echo "out=${token}"; echo "err=${token}" >&2; exit 1; }`,
  );
  const outcome = await (await robot.order('map', 'a map')).carry();
  expect(outcome).toMatchObject({ reason: 'install_failed' });
  const said = ['out=svc_robot_[redacted]', 'err=svc_robot_[redacted]'];
  expect(outcome?.message?.split('\n').slice(1).sort()).toEqual(said.toSorted());
  expect(robot.lines.toSorted()).toEqual(said.map((line) => `handler:map: ${line}`).sort());
});

test('an executable that is not ready is called again, while its seconds last', async () => {
  await using robot = await robotWith(`
test $1 != capabilities || echo '{"timeouts": {"verify": 1}}'
test $1 != activate || test -e $SVC_WORK_DIR/tried || { touch $SVC_WORK_DIR/tried; exit 75; }
test $1 != verify || exit 75`);
  expect(await (await robot.order('map', 'a map')).carry()).toMatchObject({
    status: 'failed',
    reason: 'verify_failed',
    message: 'handler verify: it exited with 75',
  });
  expect((await robot.calls()).filter((state) => state === 'activate')).toHaveLength(2);
});

test('capabilities that cannot be meant fail the order before anything else is called', async () => {
  for (const said of [
    'no',
    '[]',
    '{"protocol": 2}',
    '{"rollback": "yes"}',
    '{"timeouts": {"verify": 0}}',
    '{"timeouts": {"verify": "1"}}',
  ]) {
    await using robot = await robotWith(`echo '${said}'`);
    expect(await (await robot.order('map', 'a map')).carry()).toMatchObject({ status: 'failed', reason: 'no_handler' });
    expect(await robot.calls()).toEqual(['capabilities']);
  }
});

test('an executable that others could have written is refused, with the reason, and nothing takes its place', async () => {
  await using robot = await robotWith('');
  const { handlerFolders = [] } = robot.settings;
  const refused = async (message: string) => {
    const outcome = await (await robot.order('map', 'a map')).carry();
    expect(outcome).toMatchObject({ status: 'failed', reason: 'no_handler' });
    expect(outcome?.message).toContain(message);
    const { kinds, faults } = await kindsOf(robot.settings);
    expect(kinds).not.toContain('map');
    expect(faults).toEqual([outcome?.message]);
  };
  const path = robot.path('own', 'map');
  await chmod(path, 0o775);
  await refused(`other users can write to ${path}`);
  await chmod(path, 0o644);
  await refused('it is not an executable file');
  await chmod(path, 0o755);
  await chmod(robot.path('own'), 0o777);
  await refused(`other users can write to ${robot.path('own')}`);
  await chmod(robot.path('own'), 0o755);
  if (process.getuid?.() === 0) {
    await chown(path, 1234, 1234);
    await refused('must belong to root');
    await chown(path, 0, 0);
  }
  expect((await kindsOf(robot.settings)).kinds).toContain('map');
  expect(await robot.calls()).toEqual([]);
  // Root's comes first, and before what is built in.
  await robot.put('test $1 != download || exit 9', 'etc');
  expect(await (await robot.order('map', 'a map')).carry()).toMatchObject({ reason: 'download_failed' });
  await rename(robot.path('etc', 'map'), robot.path('etc', 'file'));
  expect(await (await robot.order('file', 'a file')).carry()).toMatchObject({ reason: 'download_failed' });
  await rm(robot.path('etc', 'file'));
  expect(await (await robot.order('file', 'a file')).carry()).toMatchObject({ status: 'applied' });
  expect(handlerFolders).toHaveLength(2);
});

test('a kind that leads to another folder has no executable', async () => {
  await using robot = await robotWith('');
  for (const kind of ['../own/map', '.', 'map/../map', 'MAP'])
    expect(await (await robot.order(kind, 'a map')).carry()).toMatchObject({ status: 'failed', reason: 'no_handler' });
  expect(await robot.calls()).toEqual([]);
});

test('what runs is asked outside of orders, and nobody can tell where the executable fails or says nothing', async () => {
  const digest = sha256('a map');
  await using robot = await robotWith(`test $1 != running || { pwd > $SVC_STATE_DIR/asked; echo running ${digest}; }`);
  expect(await robot.running('map')).toBe(digest);
  const kept = robot.path('releases', 'handlers', 'map');
  expect(await readFile(join(kept, 'asked'), 'utf8')).toBe(`${kept}\n`);
  await robot.put('echo running none');
  expect(await robot.running('map')).toBeNull();
  for (const lines of [`echo running ${digest}; exit 1`, 'echo running nothing', '']) {
    await robot.put(lines);
    await expect(robot.running('map')).rejects.toThrow('reports no running version');
  }
});

test('an executable that is asked what runs ends with the agent', async () => {
  await using robot = await robotWith('test $1 != running || { echo $$ > $SVC_STATE_DIR/pid; exec sleep 60; }');
  const asked = robot.running('map');
  asked.catch(() => undefined);
  const pid = () => readFile(robot.path('releases', 'handlers', 'map', 'pid'), 'utf8').catch(() => '');
  await expect.poll(pid).toMatch(/^\d+\n$/);
  const mark = await markOf(Number(await pid()));
  stop(robot);
  await expect(asked).rejects.toThrow('reports no running version: it was ended with the agent');
  await expect.poll(() => isAlive(mark)).toBe(false);
});

test('an agent that ends in the middle of a state calls it again; what still ran of it is ended first', async () => {
  await using robot = await robotWith(`if test $1 = activate && test ! -e $SVC_STATE_DIR/second; then
  touch $SVC_STATE_DIR/second; echo $$ > $SVC_STATE_DIR/pid; exec sleep 60
fi`);
  const order = await robot.order('map', 'a map');
  const first = order.carry();
  await expect.poll(robot.calls).toContain('activate');
  const pid = async () =>
    Number(await readFile(robot.path('releases', 'handlers', 'map', 'pid'), 'utf8').catch(() => 0));
  await expect.poll(pid).toBeGreaterThan(0);
  stop(robot);
  expect(await first).toBeUndefined();
  expect(await order.again().carry()).toMatchObject({ status: 'applied' });
  const running = await pid();
  expect(() => process.kill(running, 0)).toThrow('ESRCH');
});

test('what an agent that was killed left running of the order is ended before anything of it runs again', async () => {
  await using robot = await robotWith('');
  const order = await robot.order('map', 'a map');
  const left = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  const ended = once(left, 'exit');
  order.task.notes['process'] = await markOf(left.pid ?? 0);
  expect(await order.carry()).toMatchObject({ status: 'applied' });
  expect(await ended).toEqual([null, 'SIGKILL']);
});

const reboots = (lines: string) => `
test $1 != capabilities || echo '{"rollback": true, "reboot": true, "timeouts": {"reboot": 1}}'
${lines}`;

test('a release that takes effect with the next boot is verified after it', async () => {
  await using robot = await robotWith(reboots('test $1 != activate || exit 200'), { bootId: 'first' });
  const order = await robot.order('map', 'a map');
  const life = order.carry();
  await expect.poll(robot.calls).toContain('reboot');
  stop(robot);
  expect(await life).toBeUndefined();
  expect(await order.again({ bootId: 'second' }).carry()).toMatchObject({ status: 'applied' });
  const calls = (await robot.calls()).filter((state) => state !== 'capabilities');
  expect(calls).toEqual(['download', 'install', 'activate', 'reboot', 'verify', 'commit', 'cleanup']);
});

test('a machine that does not go down fails the order, which goes back; one whose agent alone began anew boots again', async () => {
  await using robot = await robotWith(reboots('test $1 != activate || exit 200'), { bootId: 'first' });
  const order = await robot.order('map', 'a map');
  const life = order.carry();
  await expect.poll(robot.calls).toContain('reboot');
  stop(robot);
  await life;
  expect(await order.again().carry()).toMatchObject({
    status: 'rolled_back',
    reason: 'restart_failed',
    message: 'the machine did not shut down within 1 s',
  });
  expect((await robot.calls()).filter((state) => state !== 'capabilities').slice(-4)).toEqual([
    'reboot',
    'reboot',
    'rollback',
    'cleanup',
  ]);
});

test('a way back that takes effect with the next boot ends after it, and only after a boot of its own', async () => {
  await using robot = await robotWith(reboots('case $1 in activate | rollback) exit 200;; verify) exit 1;; esac'), {
    bootId: 'first',
  });
  const order = await robot.order('map', 'a map');
  const lives = async (life: Promise<unknown>, times: number) => {
    await expect.poll(async () => (await robot.calls()).filter((state) => state === 'reboot').length).toBe(times);
    stop(robot);
    expect(await life).toBeUndefined();
  };
  await lives(order.carry(), 1);
  const second = order.again({ bootId: 'second' });
  await lives(second.carry(), 2);
  const third = second.again({ bootId: 'second' });
  await lives(third.carry(), 3);
  expect(await third.again({ bootId: 'third' }).carry()).toMatchObject({
    status: 'rolled_back',
    reason: 'verify_failed',
  });
});

test('where the executable leaves the boot to the agent, its own command is run', async () => {
  await using robot = await robotWith('test $1 != activate || exit 200', {
    rebootCommand: ['/bin/sh', '-c', 'echo down; exit 3'],
  });
  expect(await (await robot.order('map', 'a map')).carry()).toEqual({
    status: 'failed',
    reason: 'restart_failed',
    message: '/bin/sh -c echo down; exit 3: it exited with 3\ndown',
  });
});

test('the handler of the documentation works as it stands there', async () => {
  const text = await readFile(new URL('../../../../docs/how-to/write-a-handler.md', import.meta.url), 'utf8');
  const script = /```sh not run: a file[^\n]*\n([^]*?)```/.exec(text)?.[1] ?? '';
  expect(script.split('\n').length).toBeLessThanOrEqual(41);
  await using robot = await robotWith('');
  await writeFile(robot.path('own', 'map'), script);
  expect(await robot.running('map')).toBeNull();
  for (const [content, tag] of [
    ['one', 'maps-1'],
    ['two', 'maps-2'],
  ] as const) {
    expect(await (await robot.order('map', content, tag)).carry()).toEqual({
      status: 'applied',
      digest: sha256(content),
    });
    expect(await robot.running('map')).toBe(sha256(content));
  }
  const kept = robot.path('releases', 'handlers', 'map');
  expect(await readFile(join(kept, 'current'), 'utf8')).toBe('two');
  // Its proof fails where the disk holds something else; it goes back to the one before.
  await writeFile(
    robot.path('own', 'map'),
    script.replace('point_to "$SVC_ARTIFACT_SHA256.map" ;;', 'point_to before ;;'),
  );
  await writeFile(join(kept, 'before'), 'x');
  expect(await (await robot.order('map', 'three')).carry()).toMatchObject({
    status: 'rolled_back',
    reason: 'verify_failed',
  });
  expect(await robot.running('map')).toBe(sha256('two'));
  expect(await readdir(kept)).not.toContain('.current.new');
});
