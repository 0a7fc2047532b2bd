import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellAgentFrames, viewerFrames } from '../../../generated/shell.js';
import { faultOf, readTextFrame } from '../../../src/platform/ws/text-frames.ts';
import { nextOpen, openShell, openStream, shellAgent, shellOf } from '../../support/dial-back.ts';
import { startReplicas } from '../../support/replicas.ts';
import { robotsOf } from '../../support/robots.ts';
import { startIsolatedWorld, startWorld } from '../../support/world.ts';

const framed = { protocol: 'fleet.shell.v1' };

/** Texts that break the contract whoever sends them, and the reason for the close. */
const badForBoth: [string, string][] = [
  ['x', 'a text frame must be JSON'],
  ['', 'a text frame must be JSON'],
  ['null', 'a text frame must be a JSON object'],
  ['[{"type":"eof"}]', 'a text frame must be a JSON object'],
  ['{}', 'type: must be a string'],
  ['{"type":["eof"]}', 'type: must be a string'],
  ['{"type":"ack","bytes":-1}', 'ack/bytes: must be >= 0'],
  ['{"type":"ack"}', "ack: must have required property 'bytes'"],
];
const badOfViewers: [string, string][] = [
  ...badForBoth,
  ['{"type":"exit"}', 'exit: this side may not send it'],
  ['{"type":"ready","resume_token":"t","received":0,"grace_seconds":60}', 'ready: this side may not send it'],
  ['{"type":"failed","reason":"gone"}', 'failed: this side may not send it'],
  ['{"type":"start","cols":0,"rows":40}', 'start/cols: must be >= 1'],
  ['{"type":"start","cols":80,"rows":1e9}', 'start/rows: must be <= 1000'],
  ['{"type":"start","command":[]}', 'start/command: must NOT have fewer than 1 items'],
  ['{"type":"start","resume":{"token":"t"}}', "start/resume: must have required property 'received'"],
  ['{"type":"resize","cols":0,"rows":1e9}', 'resize/cols: must be >= 1'],
  ['{"type":"resize","cols":80}', "resize: must have required property 'rows'"],
  ['{"type":"signal","name":"STOP"}', 'signal/name: must be equal to one of the allowed values'],
];
const badOfRobots: [string, string][] = [
  ...badForBoth,
  ['{"type":"start"}', 'start: this side may not send it'],
  ['{"type":"resize","cols":80,"rows":24}', 'resize: this side may not send it'],
  ['{"type":"eof"}', 'eof: this side may not send it'],
  ['{"type":"ready"}', "ready: must have required property 'resume_token'"],
  ['{"type":"exit","code":"0"}', 'exit/code: must be integer'],
  ['{"type":"failed"}', "failed: must have required property 'reason'"],
];

/** A robot with a shell agent, and what opens shells on it. */
async function shellsOf(world: Awaited<ReturnType<typeof startWorld>>) {
  const robot = await robotsOf(world).enroll();
  const agent = await shellAgent(world.url, robot.robot_token);
  return {
    id: robot.robot_id,
    agent,
    open: (options: object = framed) => openShell(world.url, agent, robot.robot_id, world.orgToken, options),
    [Symbol.dispose]: () => agent.socket.terminate(),
  };
}

test('a viewer that sends a frame that breaks the contract is closed with 1008, and its agent keeps the shell', async () => {
  await using world = await startWorld();
  using robot = await shellsOf(world);
  for (const [text, reason] of badOfViewers) {
    using shell = await robot.open();
    shell.viewer.socket.send(Buffer.from('typed'));
    shell.viewer.socket.send(text);
    shell.viewer.socket.send(Buffer.from('too late'));
    expect(await shell.viewer.closed, text).toEqual({ code: 1008, reason });
    expect(await shell.robot.closed, text).toEqual({ code: 1001, reason: 'the viewer violated the protocol' });
    expect(shell.robot.frames, text).toEqual([Buffer.from('typed')]);
  }
});

test('an agent that sends a frame that breaks the contract is closed with 1008, and so is its viewer', async () => {
  await using world = await startWorld();
  using robot = await shellsOf(world);
  for (const [text, reason] of badOfRobots) {
    using shell = await robot.open();
    shell.robot.socket.send(Buffer.from('shown'));
    shell.robot.socket.send(text);
    shell.robot.socket.send(Buffer.from('too late'));
    expect(await shell.robot.closed, text).toEqual({ code: 1008, reason });
    expect(await shell.viewer.closed, text).toEqual({
      code: 1008,
      reason: `the robot violated the protocol: ${reason}`,
    });
    expect(shell.viewer.frames, text).toEqual([Buffer.from('shown')]);
  }
});

test('frames of the contract, frames of a type that is not known, and any bytes pass both ways', async () => {
  await using world = await startWorld();
  using robot = await shellsOf(world);
  using shell = await robot.open();
  const fromViewer = [
    '{"type":"start","cols":120,"rows":40,"of_tomorrow":true}',
    '{"type":"wave","hand":"left"}',
    '{"type":"constructor"}',
    '{"type":"ack","bytes":0}',
    Buffer.from('{"type":"exit"}'),
    Buffer.from([0xff, 0x00]),
  ];
  const fromRobot = [
    '{"type":"ready","resume_token":"t","received":0,"grace_seconds":60}',
    '{"type":"nod","times":2}',
    Buffer.from('null'),
    '{"type":"exit","code":7}',
  ];
  for (const frame of fromViewer) shell.viewer.socket.send(frame);
  for (const frame of fromRobot) shell.robot.socket.send(frame);
  await expect.poll(() => shell.robot.frames).toEqual(fromViewer);
  await expect.poll(() => shell.viewer.frames).toEqual(fromRobot);
});

test('a shell of raw bytes passes any text both ways', async () => {
  await using world = await startWorld();
  using robot = await shellsOf(world);
  using shell = await robot.open({});
  const texts = ['x', 'null', '{"type":"exit"}'];
  for (const text of texts) {
    shell.viewer.socket.send(text);
    shell.robot.socket.send(text);
  }
  await expect.poll(() => [shell.viewer.frames, shell.robot.frames]).toEqual([texts, texts]);
});

test('a bad frame that comes before the agent has dialled back ends the shell at once', async () => {
  await using world = await startWorld();
  using robot = await shellsOf(world);
  using viewer = await openStream(shellOf(world.url, robot.id), { token: world.orgToken, ...framed });
  const open = await nextOpen(robot.agent);
  viewer.socket.send('{"type":"start","rows":0}');
  expect(await viewer.closed).toEqual({ code: 1008, reason: 'start/rows: must be >= 1' });
  expect(await robot.agent.next('close')).toMatchObject({ session_id: open.session_id });
});

test('a text frame of an agent may have 64 KiB, its binary frames 256 KiB', async () => {
  await using world = await startWorld();
  using robot = await shellsOf(world);
  using shell = await robot.open();
  const large = '{"type":"of_tomorrow"}'.padEnd(65_536);
  const bytes = Buffer.alloc(262_144);
  shell.robot.socket.send(large);
  shell.robot.socket.send(bytes);
  await expect.poll(() => shell.viewer.frames).toEqual([large, bytes]);
  shell.robot.socket.send(`${large} `);
  const reason = 'a text frame of more than 65536 bytes';
  expect(await shell.robot.closed).toEqual({ code: 1009, reason });
  expect(await shell.viewer.closed).toEqual({ code: 1009, reason: `the robot violated the protocol: ${reason}` });
});

test('frames are checked at the replica of the viewer, and a dial-back through another replica hears of it', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 2);
  const [atViewer, atRobot] = all;
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(atRobot.url, robot.robot_token);
  const shell = () =>
    openShell(atViewer.url, agent, robot.robot_id, world.orgToken, { agentUrl: atRobot.url, ...framed });
  using first = await shell();
  first.robot.socket.send('{"type":"exit","code":"0"}');
  expect(await first.robot.closed).toEqual({ code: 1008, reason: 'exit/code: must be integer' });
  expect(await first.viewer.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('exit/code') });
  using second = await shell();
  second.viewer.socket.send('{"type":"exit"}');
  expect(await second.viewer.closed).toEqual({ code: 1008, reason: 'exit: this side may not send it' });
  expect(await second.robot.closed).toEqual({ code: 1001, reason: 'the viewer violated the protocol' });
});

test('whatever a text is, it passes or gives a reason that fits a close frame and does not repeat it', () => {
  const secret = 'hunter2';
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(secret, [secret], { [secret]: secret }));
  const types = [...Object.keys(viewerFrames), ...Object.keys(shellAgentFrames), secret];
  const fields = ['cols', 'rows', 'bytes', 'name', 'command', 'resume', 'code', 'reason'];
  const frame = fc.tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...fields), value));
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    frame.map(([type, rest]) => JSON.stringify({ type, ...rest })),
  );
  fc.assert(
    fc.property(text, (sent) => {
      const read = readTextFrame(Buffer.from(sent));
      const fault = typeof read === 'string' ? read : faultOf(read, { sent: viewerFrames, received: shellAgentFrames });
      expect(Buffer.byteLength(`the robot violated the protocol: ${fault ?? ''}`)).toBeLessThanOrEqual(123);
      expect(fault ?? '').not.toContain(secret);
      if (fault === undefined) expect(JSON.parse(sent)).toHaveProperty('type');
    }),
  );
});
