import { expect, test } from 'vitest';
import { echo, look, picture, record, textOf, watchRobot } from '../../support/watch.ts';
import { startIsolatedWorld, startWorld } from '../../support/world.ts';

const mib = 2 ** 20;

test('what is no picture ends the stream for all, with a reason that says what it was', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const whole = picture('whole');
  const bad: [string, string | Buffer, string][] = [
    ['text', 'FFD8', 'a camera must send binary frames, not text'],
    ['nothing', Buffer.alloc(0), 'a frame is not a JPEG: it does not begin with FFD8'],
    ['noise', Buffer.alloc(1_000, 7), 'a frame is not a JPEG: it does not begin with FFD8'],
    ['half a picture', whole.subarray(0, 100), 'a frame is not a complete JPEG: it does not end with FFD9'],
    ['the other half', whole.subarray(100), 'a frame is not a JPEG: it does not begin with FFD8'],
  ];
  for (const [what, frame, reason] of bad) {
    using viewer = await look(world, robot.id);
    using camera = await robot.come();
    camera.socket.send(whole);
    camera.socket.send(frame);
    camera.socket.send(picture('too late'));
    expect(await viewer.closed, what).toEqual({ code: 1008, reason });
    expect(await camera.closed, what).toEqual({ code: 1008, reason });
    expect(viewer.frames, what).toEqual([whole]);
  }
});

test('a picture may have 896 KiB and a record 256 KiB; what is larger ends the stream', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using viewer = await look(world, robot.id);
  using camera = await robot.come();
  camera.socket.send(picture('large', 917_504));
  await expect.poll(() => viewer.frames.length).toBe(1);
  camera.socket.send(picture('larger', 917_505));
  expect(await viewer.closed).toEqual({ code: 1009, reason: 'the robot sent a frame of more than 917504 bytes' });
  expect((await camera.closed).code).toBe(1009);

  using reader = await echo(world, robot.id);
  using topic = await robot.come();
  const room = 262_144 - record(1, '').length;
  topic.socket.send(record(1, 'x'.repeat(room)));
  await expect.poll(() => reader.frames.length).toBe(1);
  topic.socket.send(record(2, 'x'.repeat(room + 1)));
  expect(await reader.closed).toEqual({ code: 1009, reason: 'the robot sent a frame of more than 262144 bytes' });
});

test('a camera that floods is ended, a topic that floods is read no faster than a thousand a second', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using viewer = await look(world, robot.id);
  using camera = await robot.come();
  for (let count = 0; count < 400; count += 1) camera.socket.send(picture(String(count)));
  expect(await camera.closed).toEqual({ code: 1008, reason: 'more than 120 pictures per second' });
  expect((await viewer.closed).code).toBe(1008);
  expect(viewer.frames.length).toBeLessThanOrEqual(250);

  using reader = await echo(world, robot.id);
  using topic = await robot.come();
  const startedAt = performance.now();
  for (let seq = 1; seq <= 4_000; seq += 1) topic.socket.send(record(seq));
  await expect.poll(() => reader.frames.length).toBe(4_000);
  expect(performance.now() - startedAt).toBeGreaterThan(1_500);
});

test('a frame of a topic that breaks the contract ends the stream; the reason names the field', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const changed = (fields: object) => JSON.stringify({ ...JSON.parse(record(1)), ...fields });
  const bad: [string | Buffer, string][] = [
    ['{"topic":', 'a text frame must be JSON'],
    ['[]', 'a text frame must be a JSON object'],
    ['null', 'a text frame must be a JSON object'],
    ['{"type":7}', 'type: must be a string'],
    [changed({ seq: -1 }), 'record/seq: must be >= 0'],
    [changed({ seq: undefined }), "record: must have required property 'seq'"],
    [changed({ topic: 7 }), 'record/topic: must be string'],
    ['{"type":"gap","dropped":0}', "gap: must have required property 'ts'"],
    ['{"type":"rate","per_second":5}', 'rate: this side may not send it'],
    ['['.repeat(200_000), 'a text frame must be JSON'],
    [Buffer.from(record(1)), 'a topic must send text frames, not binary'],
  ];
  for (const [frame, reason] of bad) {
    using viewer = await echo(world, robot.id);
    using topic = await robot.come();
    topic.socket.send(frame);
    expect(await viewer.closed).toEqual({ code: 1008, reason });
    expect(await topic.closed).toEqual({ code: 1008, reason });
  }
});

test('a source that fails, an agent that refuses, that breaks off, that never comes: all who look hear it, and the next one asks anew', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { openWithinMs: 3_000 } });
  using robot = await watchRobot(world);
  const sentence = 'camera front: Cannot open video device /dev/video0: No such file or directory';
  const both = async () => [await look(world, robot.id), await look(world, robot.id)] as const;
  const closed = async (viewers: Awaited<ReturnType<typeof both>>) => {
    const [one, other] = await Promise.all(viewers.map((viewer) => viewer.closed));
    expect(other).toEqual(one);
    return one;
  };

  let viewers = await both();
  using failing = await robot.come();
  failing.socket.close(1011, sentence);
  expect(await closed(viewers)).toEqual({ code: 1011, reason: sentence });

  const refusals = [
    ['not_found', 4404, 'no camera is named front'],
    ['busy', 4429, 'too many'],
    ['forbidden', 4403, 'cameras are off'],
  ] as const;
  for (const [reason, code, message] of refusals) {
    viewers = await both();
    const { session_id: id } = await robot.agent.next('open');
    robot.agent.send({ type: 'refused', session_id: id, reason, message });
    expect(await closed(viewers)).toEqual({ code, reason: message });
  }

  viewers = await both();
  using broken = await robot.come();
  broken.socket.terminate();
  expect(await closed(viewers)).toEqual({ code: 4503, reason: 'the connection to the robot was lost' });

  viewers = await both();
  const { session_id: late } = await robot.agent.next('open');
  expect(await closed(viewers)).toEqual({ code: 4503, reason: 'the robot did not open the stream in time' });
  expect(await robot.agent.next('close')).toMatchObject({ session_id: late });

  viewers = await both();
  using camera = await robot.come();
  camera.socket.send(picture('here'));
  for (const viewer of viewers) await expect.poll(() => viewer.frames.map(textOf)).toEqual(['here']);
  expect(robot.opens()).toHaveLength(7);
  const told = (await world.call('GET', '/api/audit?operation=failCamera')).body.items;
  expect(told).toHaveLength(8);
  expect(told[0]).toMatchObject({ after: { camera: 'front', code: 4404, reason: 'no camera is named front' } });
});

test('who looks may say nothing, and a wrong wish is refused before there is a socket', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using talker = await look(world, robot.id);
  talker.socket.send('x'.repeat(100));
  expect(await talker.closed).toMatchObject({ code: 1008, reason: 'this stream accepts no frames' });
  using giant = await look(world, robot.id);
  giant.socket.send(Buffer.alloc(mib));
  expect((await giant.closed).code).toBe(1009);
  const refused: [() => Promise<unknown>, number, string][] = [
    [() => look(world, robot.id, '?camera=back'), 404, 'camera \\"back\\" not found'],
    [() => look(world, robot.id, '?fps=0'), 400, 'query.fps: must be 0.1 to 60'],
    [() => look(world, robot.id, '?fps=61'), 400, 'query.fps: must be 0.1 to 60'],
    [() => look(world, robot.id, '?fps=x'), 400, 'query.fps: must be 0.1 to 60'],
    [() => look(world, robot.id, '?hz=1'), 400, 'unknown parameter'],
    [() => echo(world, robot.id, ''), 400, 'query.topic: is required'],
    [() => echo(world, robot.id, '?topic='), 400, 'query.topic: must be 1 to 256 characters of plain text'],
    [() => echo(world, robot.id, `?topic=/${'x'.repeat(256)}`), 400, 'query.topic'],
    [() => echo(world, robot.id, '?topic=/a%E2%80%8Bb'), 400, 'query.topic'],
    [() => echo(world, robot.id, '?topic=/a&hz=1001'), 400, 'query.hz: must be 0.1 to 1000'],
    [() => look(world, 'x'), 404, 'robot not found'],
  ];
  for (const [tried, status, text] of refused)
    await expect(tried()).rejects.toMatchObject({ status, message: expect.stringContaining(text) });

  using bare = await watchRobot(world, { cameras: [], topics: false });
  const none = (text: string) => ({ status: 409, message: expect.stringContaining(text) });
  await expect(look(world, bare.id)).rejects.toMatchObject(none('the robot offers no camera'));
  await expect(echo(world, bare.id)).rejects.toMatchObject(none('the robot offers no ROS topics'));
  bare.agent.socket.close(1000);
  await expect.poll(() => look(world, bare.id).catch(String)).toContain('agent offline');
});
