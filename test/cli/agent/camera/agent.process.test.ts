import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from 'jpeg-js';
import { expect, test } from 'vitest';
import { beRobot, startAgent } from '../../../support/agent-process.ts';
import { startAgentServer } from '../../../support/agent-server.ts';
import { startHome } from '../../../support/cli.ts';
import { openStream } from '../../../support/dial-back.ts';
import { ffmpegOf } from './ffmpeg.ts';
import { startShellScene } from '../../../support/shell-scene.ts';
import { testWith } from '../../../support/tools.ts';
import { until } from '../../../support/until.ts';

test.each([
  [['--camera', 'front=nothing'], '--camera: camera front: its source must start with v4l2:'],
  [['--camera', 'test:', '--camera', 'camera=test:'], '--camera: two cameras are named camera'],
])('an agent with cameras that cannot be does not start: %j', async (flags, why) => {
  await using home = await startHome();
  await beRobot(home, 'http://127.0.0.1:1');
  expect(await home.cli(['agent', 'run', ...flags])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(why) as string,
  });
});

test('cameras stand in agent.toml or on the line, which counts, and the service hears their names', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const file = join(home.config, 'agent.toml');
  const rest = await readFile(file, 'utf8');
  const hello = async (...flags: string[]) => {
    server.links.length = 0;
    await using agent = startAgent(home, flags);
    const link = await server.until(() => server.links[0]);
    await server.until(() => link.frames.length > 0);
    agent.kill('SIGTERM');
    await agent.ended;
    return link.frames[0];
  };
  expect(await hello()).not.toHaveProperty('capabilities.cameras');
  await writeFile(file, `${rest}cameras = ["yard=http://viewer:top-secret@127.0.0.1:1/", "test:"]\n`, { mode: 0o600 });
  expect(await hello()).toHaveProperty('capabilities.cameras', ['yard', 'camera']);
  expect(await hello('--camera', 'front=test:')).toHaveProperty('capabilities.cameras', ['front']);
  await writeFile(file, `${rest}cameras = "test:"\n`);
  expect(await home.cli(['agent', 'run'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a list of strings') as string,
  });
});

testWith('ffmpeg')('an agent that ends takes its ffmpeg along, and writes no password anywhere', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const source = `rtsp://viewer:top-secret@127.0.0.1:${port}/mark-agent-ends`;
  await using scene = await startShellScene({
    flags: ['--camera', `yard=${source}`, '--camera', `shed=${source.replace('rtsp', 'http')}`],
  });
  const { world, agent } = scene;
  const { items } = (await world.call('GET', '/api/robots')).body as { items: { id: string; cameras: string[] }[] };
  expect(items[0]?.cameras).toEqual(['yard', 'shed']);
  const path = `${world.url}/api/robots/${items[0]?.id ?? ''}/camera/ws`;
  using viewer = await openStream(path, { token: world.orgToken });
  await until(async () => (await ffmpegOf('mark-agent-ends')) !== undefined);
  for (const socket of sockets) socket.write('what is this\r\n\r\n');
  agent.kill('SIGTERM');
  await agent.ended;
  expect(await ffmpegOf('mark-agent-ends')).toBeUndefined();
  expect((await viewer.closed).code).not.toBe(1000);
  expect(agent.text()).not.toContain('top-secret');
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('one file is all that a test camera needs, and a late viewer sees a picture at once', async () => {
  await using home = await startHome();
  const alone = join(home.path, 'agent.mjs');
  await copyFile(fileURLToPath(new URL('../../../../dist/agent.mjs', import.meta.url)), alone);
  await using server = await startAgentServer();
  await beRobot(home, server.url);
  const agent = home.start(['run', '--camera', 'test:?size=64x48&fps=0.5'], { program: alone });
  const link = await server.until(() => server.links[0]);
  await server.until(() => link.frames.some(({ type }) => type === 'heartbeat'));
  const pictures: Buffer[] = [];
  server.onStream = (socket) => void socket.on('message', (data: Buffer) => void pictures.push(data));
  for (const id of ['s-1', 's-2']) {
    const expires = new Date(Date.now() + 10_000).toISOString();
    link.send({
      type: 'open',
      session_id: id,
      kind: 'camera',
      path: `/agent/streams/${id}`,
      secret: 'x',
      expires_at: expires,
      parameters: { per_second: null },
    });
    const before = pictures.length;
    const askedMs = performance.now();
    await until(() => pictures.length > before);
    expect(performance.now() - askedMs).toBeLessThan(1_800); // the next one would come after 2 s
  }
  expect(decode(pictures[0] ?? Buffer.of())).toMatchObject({ width: 64, height: 48 });
  agent.kill('SIGTERM');
  expect((await agent.ended).code).toBe(0);
});
