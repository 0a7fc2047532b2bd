import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Order } from '../../../../generated/frames.js';
import { withoutPayload } from '../../../../cli/agent/orders/handler.ts';
import { configOrder, orderOf, releaseOrder, sha256 } from '../../../support/orders.ts';
import { artifact, said, startRobot } from './robot.ts';

test('a config order becomes files by namespace, told step by step, with the digest of what is on disk as its proof', async () => {
  await using robot = await startRobot();
  const order = configOrder([
    { key: 'nav.max_speed', value: '1.20' },
    { key: '__proto__', value: '{"a":[1,{"b":"}\\"]"}]}' },
    { key: 'big', value: '12345678901234567890' },
    { namespace: 'lidar', key: 'é "x"', value: 'null' },
  ]);
  robot.take(order);
  expect(await robot.ended(order)).toMatchObject({ status: 'applied', digest: order.digest });
  expect(said(robot, order)).toEqual(['downloading', 'installing', 'verifying', 'applied']);
  const text = await readFile(robot.path('config', 'default.json'), 'utf8');
  // To the letter: 1.20 stays 1.20.
  expect(text).toBe(
    '{\n  "nav.max_speed": 1.20,\n  "__proto__": {"a":[1,{"b":"}\\"]"}]},\n  "big": 12345678901234567890\n}\n',
  );
  expect(await robot.read('lidar')).toEqual({ 'é "x"': null });
  expect((await stat(robot.path('config'))).mode & 0o777).toBe(0o700);
  expect((await stat(robot.path('config', 'default.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(robot.path('config'))).toEqual(['default.json', 'lidar.json']);
  expect(robot.desk.desiredHash).toBe('1');

  // The next one is merged: other keys stay, and so does the mode that somebody chose.
  await chmod(robot.path('config', 'default.json'), 0o640);
  const next = configOrder([{ key: 'nav.max_speed', value: '"slow"' }]);
  robot.take(next);
  expect(await robot.ended(next)).toMatchObject({ status: 'applied', digest: next.digest });
  expect(Object.keys((await robot.read('default')) as object)).toEqual(['nav.max_speed', '__proto__', 'big']);
  expect((await stat(robot.path('config', 'default.json'))).mode & 0o777).toBe(0o640);
  await expect
    .poll(async () => (await readdir(robot.path('orders'))).filter((name) => name.endsWith('.d')))
    .toEqual([]);
});

test('an order is carried out once, however often it is listed, and again after a restart', async () => {
  await using robot = await startRobot('echo "$@" >> "$AT/runs"');
  const order = configOrder([{ key: 'a', value: '1' }]);
  for (let times = 0; times < 5; times += 1) robot.take(order);
  await robot.ended(order);
  robot.take(order);
  expect(said(robot, order).filter((status) => status === 'applied')).toHaveLength(2);
  await robot.restart();
  // Not acknowledged: it goes with hello.
  expect(robot.desk.holding()).toMatchObject([{ order_id: order.order_id, status: 'applied', digest: order.digest }]);
  robot.desk.acknowledged({ type: 'report_ack', order_id: order.order_id, status: 'applied', ended: true });
  expect(robot.desk.holding()).toEqual([]);
  await expect.poll(async () => (await robot.journal(order))['isAcknowledged']).toBe(true);
  await robot.restart();
  expect(robot.desk.holding()).toEqual([]);
  robot.take(order);
  expect(said(robot, order)).toEqual(['applied']);
  expect(await readFile(robot.path('runs'), 'utf8')).toBe('default\n');
});

test('orders of two lanes run at the same time, those of one lane one after the other; one that is listed no more is not begun', async () => {
  await using robot = await startRobot('until test -e "$AT/go"; do sleep 0.02; done');
  const script = `#!/bin/sh\ntouch ${robot.path('go')}\n`;
  await artifact(robot, script);
  const first = configOrder([{ key: 'a', value: '1' }]);
  const dropped = configOrder([{ key: 'a', value: '2' }]);
  const third = configOrder([{ key: 'a', value: '3' }]);
  robot.take(first, dropped);
  await expect.poll(() => said(robot, first)).toContain('verifying');
  robot.take(third);
  expect(said(robot, third)).toEqual([]);
  // The first one waits for what the script of another lane does.
  const release = releaseOrder('script', script);
  robot.take(third, release);
  expect(await robot.ended(first)).toMatchObject({ status: 'applied' });
  expect(await robot.ended(third)).toMatchObject({ status: 'applied' });
  expect(await robot.ended(release)).toMatchObject({ status: 'applied', digest: sha256(script) });
  expect(said(robot, dropped)).toEqual([]);
  expect(await robot.read('default')).toEqual({ a: 3 });
});

test('cancel: before it takes effect nothing of it happens, afterwards the answer is what became of it', async () => {
  await using robot = await startRobot('touch "$AT/hook"; until test -e "$AT/go"; do sleep 0.02; done');
  const never = configOrder([{ key: 'a', value: '1' }], { cancel: true });
  robot.take(never);
  expect(await robot.ended(never)).toMatchObject({ status: 'cancelled' });
  // Its payload does not come: nobody listens there.
  const waiting = withoutPayload(configOrder([{ key: 'a', value: '2' }]));
  robot.take(waiting);
  await expect.poll(() => said(robot, waiting)).toEqual(['downloading']);
  robot.take({ ...waiting, cancel: true });
  expect(await robot.ended(waiting)).toMatchObject({ status: 'cancelled' });
  expect(await readdir(robot.folder)).not.toContain('config');

  const late = configOrder([{ key: 'a', value: '3' }]);
  robot.take(late);
  await expect.poll(() => said(robot, late)).toContain('verifying');
  robot.take({ ...late, cancel: true });
  await writeFile(robot.path('go'), '');
  expect(await robot.ended(late)).toMatchObject({ status: 'applied' });
  expect(await robot.read('default')).toEqual({ a: 3 });
});

test('a payload of another digest, or none that it can read, changes nothing', async () => {
  await using robot = await startRobot();
  const other = configOrder([{ key: 'a', value: '1' }], { digest: sha256('other') });
  const noConfig = orderOf('config', '{"config":{}}');
  const noJson = orderOf('config', '{"config":[');
  const outside = configOrder([{ namespace: '../x', key: 'a', value: '1' }]);
  const strange = orderOf('teleport', '{}');
  const unheard = releaseOrder('firmware', 'x');
  const wrongKind = orderOf('release:file', unheard.payload ?? '');
  const reasons: [Order, string][] = [
    [other, 'digest_mismatch'],
    [noConfig, 'bad_payload'],
    [noJson, 'bad_payload'],
    [outside, 'bad_payload'],
    [strange, 'no_handler'],
    [unheard, 'no_handler'],
    [wrongKind, 'bad_payload'],
    [{ ...configOrder([]), order_id: '../../odd id', payload: 'x' }, 'digest_mismatch'],
  ];
  for (const [order, reason] of reasons) {
    robot.take(order);
    expect(await robot.ended(order)).toMatchObject({ status: 'failed', reason });
  }
  expect((await readdir(robot.folder)).sort()).toEqual(['artifacts', 'orders']);
});

test('a hook that fails brings the old files back, and runs again with them', async () => {
  await using robot = await startRobot(
    'echo "$SVC_PHASE $SVC_ORDER_ID $*" >> "$AT/runs"; cat "$SVC_CONFIG_DIR/default.json" >> "$AT/runs"; echo no such speed >&2; ! grep -q bad "$SVC_CONFIG_DIR/default.json"',
  );
  const good = configOrder([{ key: 'a', value: '"good"' }]);
  robot.take(good);
  expect(await robot.ended(good)).toMatchObject({ status: 'applied' });
  const bad = configOrder([
    { key: 'a', value: '"bad"' },
    { namespace: 'fresh', key: 'b', value: '1' },
  ]);
  robot.take(bad);
  const end = await robot.ended(bad);
  expect(end).toMatchObject({ status: 'rolled_back', reason: 'hook_failed' });
  expect(end.message).toBe('on-config: it exited with 1\nno such speed');
  expect(said(robot, bad)).toEqual(['downloading', 'installing', 'verifying', 'rolling_back', 'rolled_back']);
  expect(await robot.read('default')).toEqual({ a: 'good' });
  expect(await readdir(robot.path('config'))).toEqual(['default.json']);
  expect(
    (await readFile(robot.path('runs'), 'utf8')).split('\n').filter((line) => line.includes(bad.order_id)),
  ).toEqual([`apply ${bad.order_id} default fresh`, `rollback ${bad.order_id} default fresh`]);
  expect(robot.lines).toContain('on-config: no such speed');
});

test('a file that somebody broke is not replaced', async () => {
  await using robot = await startRobot();
  await mkdir(robot.path('config'));
  await writeFile(robot.path('config', 'default.json'), '{"a": 1');
  const order = configOrder([{ key: 'a', value: '2' }]);
  robot.take(order);
  const end = await robot.ended(order);
  expect(end).toMatchObject({ status: 'failed', reason: 'install_failed' });
  expect(end.message).toContain('default.json is not a JSON object');
  expect(robot.told.at(-1)).toBe(
    `error: order ${order.order_id} of lane config: failed, install_failed, ${end.message}`,
  );
  expect(await readFile(robot.path('config', 'default.json'), 'utf8')).toBe('{"a": 1');
});

test('a crash between two renames is finished with the next start', async () => {
  await using robot = await startRobot();
  const order = configOrder([
    { namespace: 'a', key: 'k', value: '1' },
    { namespace: 'b', key: 'k', value: '1' },
  ]);
  await robot.restart(async () => {
    // As it stands on the disk in that moment.
    const own = robot.path('orders', `${order.order_id}.d`);
    await mkdir(join(own, 'old'), { recursive: true });
    await mkdir(robot.path('config'));
    const { payload = '', ...rest } = order;
    await writeFile(join(own, 'payload'), payload);
    const report = { order_id: order.order_id, status: 'installing' };
    const notes = { created: ['a', 'b'] };
    const record = { order: rest, step: 'activate', attempt: 1, report, isAcknowledged: false, notes };
    await writeFile(robot.path('orders', `${order.order_id}.json`), JSON.stringify(record));
    for (const name of ['a', 'b']) await writeFile(robot.path('config', `.${name}.json.new`), '{"k": 1}');
    await rename(robot.path('config', '.a.json.new'), robot.path('config', 'a.json'));
  });
  expect(await robot.ended(order)).toMatchObject({ status: 'applied', digest: order.digest });
  expect(await robot.read('b')).toEqual({ k: 1 });
});

test('a file that holds another value than was ordered, were it the same number, is no proof', async () => {
  await using robot = await startRobot();
  const order = configOrder([{ key: 'k', value: '1.0' }]);
  await robot.restart(async () => {
    await mkdir(robot.path('config'));
    await writeFile(robot.path('config', 'default.json'), '{"k": 1}');
    const report = { order_id: order.order_id, status: 'verifying' };
    const notes = { created: ['default'] };
    const record = { order, step: 'verify', attempt: 1, report, isAcknowledged: false, notes };
    await writeFile(robot.path('orders', `${order.order_id}.json`), JSON.stringify(record));
  });
  expect(await robot.ended(order)).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
  expect(await readdir(robot.path('config'))).toEqual([]);
});

test('a step that crashes the agent each time is given up, and what took effect is taken back', async () => {
  await using robot = await startRobot('echo run >> "$AT/runs"');
  const before = configOrder([{ key: 'k', value: '1' }]);
  robot.take(before);
  await robot.ended(before);
  const order = configOrder([{ key: 'k', value: '2' }]);
  await robot.restart(async () => {
    const own = robot.path('orders', `${order.order_id}.d`);
    await mkdir(join(own, 'old'), { recursive: true });
    const { payload = '', ...rest } = order;
    await writeFile(join(own, 'payload'), payload);
    const file = robot.path('config', 'default.json');
    await writeFile(join(own, 'old', 'default'), await readFile(file));
    await writeFile(file, '{"k": 2}');
    const report = { order_id: order.order_id, status: 'verifying' };
    const record = { order: rest, step: 'verify', attempt: 3, report, isAcknowledged: true, notes: { created: [] } };
    await writeFile(robot.path('orders', `${order.order_id}.json`), JSON.stringify(record));
  });
  expect(await robot.ended(order)).toMatchObject({ status: 'rolled_back', reason: 'interrupted' });
  expect(await robot.read('default')).toEqual({ k: 1 });
  // Once for the first order, and once with the old files.
  expect(await readFile(robot.path('runs'), 'utf8')).toBe('run\nrun\n');
});

test('an order that a newer agent left at a step of its own goes back, and what it wrote beside that is kept', async () => {
  await using robot = await startRobot();
  const order = configOrder([{ key: 'a', value: '1' }]);
  const report = { order_id: order.order_id, status: 'verifying' };
  const record = {
    order,
    step: 'rehearse',
    attempt: 1,
    report,
    isAcknowledged: true,
    notes: { created: ['default'] },
    later: 7,
  };
  await robot.restart(async () => writeFile(robot.path('orders', `${order.order_id}.json`), JSON.stringify(record)));
  expect(await robot.ended(order)).toMatchObject({
    status: 'rolled_back',
    reason: 'interrupted',
    message: 'unknown step rehearse',
  });
  expect(await robot.journal(order)).toMatchObject({ step: 'ended', later: 7 });
});

test('what was written down of an order and cannot be read is told, and the order is not begun', async () => {
  await using robot = await startRobot();
  const order = configOrder([{ key: 'a', value: '1' }]);
  await robot.restart(() => writeFile(robot.path('orders', `${order.order_id}.json`), '{"order":'));
  robot.take(order);
  expect(await robot.ended(order)).toMatchObject({ status: 'failed', reason: 'interrupted' });
  expect(await readdir(robot.folder)).not.toContain('config');
});

test('a release of kind file is what the link leads to, and the link goes back when it leads elsewhere', async () => {
  await using robot = await startRobot();
  const current = robot.path('releases', 'file', 'current');
  const missing = releaseOrder('file', 'never there');
  robot.take(missing);
  expect(await robot.ended(missing)).toMatchObject({ status: 'failed', reason: 'no_artifact' });
  await artifact(robot, 'map one');
  const one = releaseOrder('file', 'map one', {}, '../../v1');
  robot.take(one);
  expect(await robot.ended(one)).toMatchObject({ status: 'applied', digest: sha256('map one') });
  expect(await readFile(current, 'utf8')).toBe('map one');
  await artifact(robot, 'map six', sha256('map two'));
  await artifact(robot, 'map three!', sha256('map three'));
  for (const content of ['map two', 'map three']) {
    const wrong = releaseOrder('file', content);
    robot.take(wrong);
    expect(await robot.ended(wrong)).toMatchObject({ status: 'failed', reason: 'digest_mismatch' });
  }
  expect(await readFile(current, 'utf8')).toBe('map one');
  // The copy is right and the disk then gives something else.
  const two = releaseOrder('file', 'map two');
  await robot.restart(async () => {
    const own = robot.path('orders', `${two.order_id}.d`);
    await mkdir(own, { recursive: true });
    const { payload = '', ...rest } = two;
    await writeFile(join(own, 'payload'), payload);
    await mkdir(robot.path('releases', 'file', sha256('map two')), { recursive: true });
    await writeFile(robot.path('releases', 'file', sha256('map two'), 'v1'), 'rotten');
    const previous = join(sha256('map one'), '_.._.._v1');
    const report = { order_id: two.order_id, status: 'installing' };
    const record = { order: rest, step: 'activate', attempt: 1, report, isAcknowledged: true, notes: { previous } };
    await writeFile(robot.path('orders', `${two.order_id}.json`), JSON.stringify(record));
  });
  expect(await robot.ended(two)).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
  expect(await readFile(current, 'utf8')).toBe('map one');
});

test('a release of kind script runs once, with its own environment alone, and its end is the end of the order', async () => {
  await using robot = await startRobot();
  const good = '#!/bin/sh\nenv | sort; pwd; echo over >&2; rm -- "$0"\n';
  await artifact(robot, good);
  const order = releaseOrder('script', good, {}, 'v 1.0');
  robot.take(order);
  expect(await robot.ended(order)).toMatchObject({ status: 'applied', digest: sha256(good) });
  const names = robot.lines.flatMap((line) => /^release:script: (\w+)=/.exec(line)?.[1] ?? []);
  expect(names.filter((name) => !name.startsWith('SVC_')).sort()).toEqual(['PATH', 'PWD']);
  expect(names.filter((name) => name.startsWith('SVC_'))).toHaveLength(9);
  expect(robot.lines).toContain(`release:script: SVC_DEPLOYMENT_ID=${order.deployments[0] ?? ''}`);
  expect(robot.lines).toContain('release:script: over');

  const bad = '#!/bin/sh\nseq 1 30\nexit 3\n';
  await artifact(robot, bad);
  const failing = releaseOrder('script', bad);
  robot.take(failing);
  const end = await robot.ended(failing);
  expect(end).toMatchObject({ status: 'failed', reason: 'install_failed' });
  expect(end.message?.split('\n')).toEqual([
    'it exited with 3',
    ...Array.from({ length: 20 }, (_, n) => String(n + 11)),
  ]);
  // Names that the agent uses beside it.
  for (const tag of ['work', 'payload']) {
    const named = releaseOrder('script', good, {}, tag);
    robot.take(named);
    expect(await robot.ended(named)).toMatchObject({ status: 'applied' });
  }
  const noProgram = 'nothing to run';
  await artifact(robot, noProgram);
  const strange = releaseOrder('script', noProgram);
  robot.take(strange);
  expect(await robot.ended(strange)).toMatchObject({ status: 'failed', reason: 'install_failed' });
});

test('an agent that is stopped ends its script with all that it started, and says so with the next start', async () => {
  await using robot = await startRobot();
  const script = `#!/bin/sh\ntrap '' TERM\nsleep 300 & echo $! > ${robot.path('pid')}\nwait\nsleep 300\n`;
  await artifact(robot, script);
  const order = releaseOrder('script', script);
  robot.take(order);
  await expect.poll(() => readFile(robot.path('pid'), 'utf8').catch(() => '')).toMatch(/\d/);
  robot.isLinked = false;
  await robot.restart();
  expect(robot.desk.holding()).toMatchObject([{ order_id: order.order_id, status: 'failed', reason: 'interrupted' }]);
  const pid = (await readFile(robot.path('pid'), 'utf8')).trim();
  await expect.poll(() => isRunning(pid)).toBe(false);
});

/** A child that nobody waits for stays as a zombie where the first process reaps none. */
async function isRunning(pid: string): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text !== '' && !/\) [ZX] /.test(text);
}

test('a script that a crash left running is ended, not run again, and told as interrupted', async () => {
  await using robot = await startRobot();
  const script = `#!/bin/sh\necho run >> ${robot.path('runs')}\n`;
  const order = releaseOrder('script', script);
  const orphan = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  await robot.restart(async () => {
    const own = robot.path('orders', `${order.order_id}.d`);
    await mkdir(own, { recursive: true });
    const { payload = '', ...rest } = order;
    await writeFile(join(own, 'payload'), payload);
    await writeFile(join(own, 'v1'), script, { mode: 0o700 });
    const { markOf } = await import('../../../../cli/files/process-mark.ts');
    const notes = { process: await markOf(orphan.pid ?? 0) };
    const report = { order_id: order.order_id, status: 'installing' };
    const record = { order: rest, step: 'activate', attempt: 1, report, isAcknowledged: false, notes };
    await writeFile(robot.path('orders', `${order.order_id}.json`), JSON.stringify(record));
  });
  expect(await robot.ended(order)).toMatchObject({ status: 'failed', reason: 'interrupted' });
  await expect.poll(() => isRunning(String(orphan.pid))).toBe(false);
  expect(await readdir(robot.folder)).not.toContain('runs');
});

test('a hundred ended orders are remembered, the oldest go, and the messages of all fit into hello', async () => {
  await using robot = await startRobot();
  const script = `#!/bin/sh\nfor i in $(seq 1 20); do printf '%0500d\\n' $i; done; exit 1\n`;
  await artifact(robot, script);
  const long = Array.from({ length: 30 }, () => releaseOrder('script', script));
  const short = Array.from({ length: 75 }, (_, n) => orderOf(`lane-${n}`, '{}'));
  const orders = [...long, ...short];
  const step = async (order: Order) => (await robot.journal(order).catch(() => ({ step: '' })))['step'];
  robot.isLinked = false;
  for (const order of long) {
    robot.take(order, ...short);
    await expect.poll(() => step(order), { interval: 5 }).toBe('ended');
  }
  await expect.poll(async () => (await Promise.all(orders.map(step))).every((each) => each === 'ended')).toBe(true);
  const holding = robot.desk.holding();
  expect(Buffer.byteLength(JSON.stringify(holding))).toBeLessThan(130 * 1024);
  expect(holding.length).toBeGreaterThan(15);
  robot.isLinked = true;
  robot.desk.linkUp();
  expect(new Set([...robot.reports, ...holding].map(({ order_id: id }) => id)).size).toBe(105);
  for (const { order_id } of orders)
    robot.desk.acknowledged({ type: 'report_ack', order_id, status: 'failed', ended: true });
  const last = configOrder([{ key: 'a', value: '1' }]);
  robot.take(last);
  await robot.ended(last);
  await expect
    .poll(async () => (await readdir(robot.path('orders'))).filter((name) => name.endsWith('.json')).length)
    .toBe(101);
});

test('where nothing can be written no order is taken, and the robot says why', async () => {
  await using robot = await startRobot();
  await robot.restart(async () => {
    await rm(robot.path('orders'), { recursive: true });
    await writeFile(robot.path('orders'), 'a file in its place');
  });
  expect(robot.desk.isOpen).toBe(false);
  expect(robot.told.join()).toContain('orders are not accepted');
  robot.take(configOrder([{ key: 'a', value: '1' }]));
  expect(robot.desk.desiredHash).toBeUndefined();
});

test('what the service made of an end is logged and kept with the order, if it is not what was told', async () => {
  await using robot = await startRobot();
  const [order, other] = [configOrder([{ key: 'a', value: '1' }]), configOrder([{ key: 'a', value: '2' }])];
  const result = { status: 'failed', reason: 'digest_mismatch' };
  for (const [each, made] of [
    [order, result],
    [other, { status: 'applied' }],
  ] as const) {
    robot.take(each);
    await robot.ended(each);
    const { order_id } = each;
    robot.desk.acknowledged({ type: 'report_ack', order_id, status: 'applied', ended: true, result: made });
    await expect.poll(async () => (await robot.journal(each))['isAcknowledged']).toBe(true);
  }
  expect((await robot.journal(order))['otherResult']).toEqual(result);
  expect(await robot.journal(other)).not.toHaveProperty('otherResult');
  const told = robot.told.filter((message) => message.includes('for the service'));
  expect(told).toEqual([
    `order ${order.order_id} of lane config: applied here, failed for the service, digest_mismatch`,
  ]);
});
