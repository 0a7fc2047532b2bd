import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import { dialBack, type OpenFrame } from '../support/dial-back.ts';
import { factories } from '../support/factories.ts';
import { linkedAgent, type FakeAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { streamTranscripts } from '../support/transcripts.ts';
import { startWorld, type World } from '../support/world.ts';

const bins = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
const path = [bins, '/usr/bin', '/bin', dirname(process.execPath)].join(':');

/** What has to be printed, by the channel of the line. */
const printed: Record<string, RegExp> = {
  agentLink: /"type":"welcome"/,
  robotShell: /Linux amr-1\r?\n/,
  robotCamera: /220 bytes in picture\.jpg/,
  robotTopic: /"data":"hello"/,
  robotLogs: /"message":"line 1"/,
};

const lines = Object.entries(asyncapi.channels).flatMap(([name, channel]) =>
  'x-by-hand' in channel ? channel['x-by-hand'].map((line) => ({ name, ...line })) : [],
);

const picture = streamTranscripts
  .flatMap(({ steps }) => steps.flatMap((step) => ('base64' in step ? [Buffer.from(step.base64, 'base64')] : [])))
  .find(({ length }) => length === 220);

/** Gives what is asked of a robot. */
async function serve(agent: FakeAgent, world: World): Promise<void> {
  const open = (await agent.next('open')) as unknown as OpenFrame;
  const { socket, frames } = await dialBack(world.url, open);
  const record = { topic: '/chatter', type: 'std_msgs/String', seq: 1, ts: new Date().toISOString() };
  if (open.kind === 'camera') socket.send(picture ?? '');
  if (open.kind === 'topic') socket.send(JSON.stringify({ ...record, msg: { data: 'hello' } }));
  if (open.kind !== 'shell') return;
  await expect.poll(() => frames.join('')).toBe('uname -a; exit 3\r');
  socket.send(Buffer.from('Linux amr-1\r\n'));
  socket.close(1000, 'exit 3');
}

/** A line as a person would type it, in a terminal of which nothing is heard. */
function typeLine(source: string, env: Record<string, string>, folder: string) {
  // A group of its own, since some lines go on until somebody ends them.
  const child = spawn('/bin/bash', ['-c', `${asyncapi['x-ticket-by-hand'].source}\n${source}`], {
    cwd: folder,
    env: { PATH: path, HOME: folder, ...env },
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    said: () => said,
    exited,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}

test('every channel that a person can open has a line to do so, in Python each', () => {
  for (const [name, channel] of Object.entries(asyncapi.channels)) {
    const lines = 'x-by-hand' in channel ? channel['x-by-hand'] : [];
    expect([name, lines.some(({ source }) => source.includes('python3'))]).toEqual([name, name !== 'agentStream']);
  }
});

/** What the line of this number, 1 and up, does with a robot of its own. */
async function carryOut(world: World, { name, label, source }: (typeof lines)[number], number: number): Promise<void> {
  await using folder = await tempDir();
  const robots = robotsOf(world);
  const [robot, other, key] = [
    await robots.enroll(`amr-${number}`),
    await robots.enroll(`other-${number}`),
    await factories(world).key(),
  ];
  const capabilities = { logs: true, shell: true, cameras: ['front'], topics: true };
  using agent = await linkedAgent(world.url, robot.robot_token, { hello: { capabilities } });
  const record = { seq: 1, level: 'info', source: 'journal', message: 'line 1' };
  agent.send({ type: 'logs', spool: 'a-spool', from_seq: 1, to_seq: 1, records: [record] });
  await agent.next('logs_ack');
  const asksRobot = ['robotShell', 'robotCamera', 'robotTopic'].includes(name);
  const served = asksRobot ? serve(agent, world) : undefined;
  const env = {
    SERVICE_URL: world.url,
    SERVICE_TOKEN: world.orgToken,
    SERVICE_ENROLLMENT_KEY: key.value,
    ROBOT_ID: robot.robot_id,
    ROBOT_TOKEN: other.robot_token,
  };
  await using typed = typeLine(source, env, folder.path);
  await expect.poll(typed.said, { timeout: 30_000, message: `${name}, ${label}` }).toMatch(printed[name] ?? /^never$/);
  await served;
  if (name === 'robotShell') await typed.exited;
  if (source.includes('close_code')) expect(typed.said()).toMatch(/^1000 exit 3$/m);
  if (name === 'robotCamera') expect(await readFile(join(folder.path, 'picture.jpg'))).toEqual(picture);
}

// One service for all of them: most of what each takes is to start.
testWith('curl', 'python3-websockets')('each line by hand does what it says', async () => {
  await using world = await startWorld();
  const ended = await Promise.allSettled(lines.map((line, index) => carryOut(world, line, index + 1)));
  expect(ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual([]);
  expect(ended.length).toBeGreaterThan(5);
});
