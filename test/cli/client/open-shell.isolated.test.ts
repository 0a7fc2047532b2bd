import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, StreamError, type ClientOptions, type Shell, type Streams } from '../../../cli/client/index.ts';
import { startCutter } from '../../support/cutting-proxy.ts';
import { dialBack, nextOpen, shellAgent } from '../../support/dial-back.ts';
import { PlatformSocket } from './platform-socket.ts';
import { robotsOf } from '../../support/robots.ts';
import { startShellRobot } from '../../support/shell-robot.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startWorld, type World } from '../../support/world.ts';

const streamsOf = (world: World, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: world.url, token: world.orgToken, WebSocket, ...options }).streams;

const isShell = (head: string) => head.includes('/shell/ws');

/** Reads on until the text is there. */
async function untilShown(shell: Shell, wanted: string): Promise<string> {
  let shown = '';
  for await (const text of shell.text()) {
    shown += text;
    if (shown.includes(wanted)) return shown;
  }
  throw new Error(`it ended without ${wanted}: ${shown}`);
}

async function bytesOf(shell: Shell): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of shell) pieces.push(bytes);
  return Buffer.concat(pieces);
}

const errorOf = async (work: Promise<unknown>): Promise<StreamError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StreamError);
  return error as StreamError;
};

test('a command takes input to its end, keeps its outputs apart and tells its exit code', async () => {
  await using world = await startWorld();
  await using robot = await startShellRobot(world);
  const shell = await streamsOf(world).openShell(robot.id, { command: ['sh', '-c', 'cat; echo err >&2; exit 7'] });
  await shell.write('typed ');
  await shell.write(new TextEncoder().encode('é\n'));
  shell.eof();
  const shown = { stdout: '', stderr: '' };
  for await (const { from, bytes } of shell.outputs()) shown[from] += Buffer.from(bytes).toString();
  expect(shown).toEqual({ stdout: 'typed é\n', stderr: 'err\n' });
  expect(await shell.ended).toEqual({ code: 7 });
  expect(shell.user).toMatch(/./);
  expect(shell.isRecorded).toBe(false);
  expect((await errorOf(shell.write('more'))).reason).toBe('ended');
});

test('a shell in a terminal has the size that it is given, hears signals, and tells what ended it', async () => {
  await using world = await startWorld();
  await using robot = await startShellRobot(world);
  const streams = streamsOf(world);
  const shell = await streams.openShell(robot.id, { cols: 100, rows: 30 });
  void shell.write('stty size\n');
  await untilShown(shell, '30 100');
  shell.resize({ cols: 90, rows: 20 });
  // At most one in 50 ms takes effect there. What shows that it is resized hears signals by then: a child that is just being forked may not.
  const waiting =
    'until [ "$(stty size)" = "20 90" ]; do sleep 0.05; done; echo re"sized"; while :; do sleep 0.05; done';
  void shell.write(`sh -c 'trap "exit 0" INT; ${waiting}'\n`);
  await untilShown(shell, 'resized');
  expect(shell.signal('INT')).toBe(true);
  void shell.write('exit 3\n');
  await untilShown(shell, 'exit');
  await bytesOf(shell);
  expect(await shell.ended).toEqual({ code: 3 });

  const killed = await streams.openShell(robot.id, { command: ['sleep', '60'] });
  killed.signal('KILL');
  expect(await killed.ended).toEqual({ signal: 'SIGKILL' });
});

test('a connection that is lost is made again, and nothing of the shell is lost or doubled', async () => {
  await using world = await startWorld();
  await using cutter = await startCutter(world.url, isShell);
  await using robot = await startShellRobot(world);
  const told: string[] = [];
  const shell = await streamsOf(world, { baseUrl: cutter.url }).openShell(robot.id, {
    command: ['cat'],
    onLost: (waitMs) => told.push(`lost ${waitMs > 0}`),
    onResumed: () => told.push('resumed'),
  });
  const input = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
  const output = bytesOf(shell);
  await shell.write(input.subarray(0, 1_500_000));
  cutter.cutAll();
  await shell.write(input.subarray(1_500_000));
  shell.eof();
  expect((await output).equals(input)).toBe(true);
  expect(told).toEqual(['lost true', 'resumed']);
  expect(await shell.ended).toEqual({ code: 0 });
});

test('a network that falls silent is noticed, and the shell goes on over another connection', async () => {
  await using world = await startWorld();
  await using cutter = await startCutter(world.url, isShell);
  await using robot = await startShellRobot(world);
  const shell = await streamsOf(world, { baseUrl: cutter.url, silentSeconds: 0.6 }).openShell(robot.id, {
    command: ['sh', '-c', 'echo one; read line; echo "got $line"'],
  });
  await untilShown(shell, 'one');
  cutter.silenceAll();
  void shell.write('two\n');
  await untilShown(shell, 'got two');
  expect(await shell.ended).toEqual({ code: 0 });
});

test('a program whose output nobody reads waits, and none of it is lost', async () => {
  await using world = await startWorld();
  await using robot = await startShellRobot(world);
  await using folder = await tempDir();
  const done = join(folder.path, 'done');
  let cameBytes = 0;
  const streams = streamsOf(world, {
    WebSocket: class extends WebSocket {
      constructor(...made: ConstructorParameters<NonNullable<ClientOptions['WebSocket']>>) {
        super(...made);
        this.on('message', (data: ArrayBuffer, isBinary) => (cameBytes += isBinary ? data.byteLength : 0));
      }
    },
  });
  const command = ['sh', '-c', `head -c 8000000 /dev/zero; touch '${done}'`];
  const shell = await streams.openShell(robot.id, { command });
  await expect.poll(() => cameBytes).toBeGreaterThan(900_000);
  let before = -1;
  await expect
    .poll(() => {
      const isStill = cameBytes === before;
      before = cameBytes;
      return isStill;
    })
    .toBe(true);
  expect(cameBytes).toBeLessThan(1_200_000);
  expect(existsSync(done)).toBe(false);
  expect((await bytesOf(shell)).length).toBe(8_000_000);
  expect(await shell.ended).toEqual({ code: 0 });
  expect(existsSync(done)).toBe(true);
});

test('what is written to a program that does not read waits for it, in its order', async () => {
  await using world = await startWorld();
  await using robot = await startShellRobot(world);
  await using folder = await tempDir();
  const gate = join(folder.path, 'gate');
  const shell = await streamsOf(world).openShell(robot.id, {
    command: ['sh', '-c', `until [ -e '${gate}' ]; do sleep 0.05; done; wc -c`],
  });
  let written = 0;
  const writing = (async () => {
    for (; written < 40; written += 1) await shell.write(Buffer.alloc(100_000));
  })();
  await expect.poll(() => written).toBeGreaterThan(8);
  expect(written).toBeLessThan(15);
  await writeFile(gate, '');
  await writing;
  shell.eof();
  expect(Number((await bytesOf(shell)).toString())).toBe(4_000_000);
});

test('who leaves a shell ends it, by close or by a signal', async () => {
  await using world = await startWorld();
  await using robot = await startShellRobot(world);
  await using folder = await tempDir();
  const streams = streamsOf(world);
  const ended = join(folder.path, 'ended');
  const command = ['sh', '-c', `trap "touch '${ended}'; exit" HUP; echo up; while :; do sleep 0.05; done`];
  const over = new AbortController();
  const shell = await streams.openShell(robot.id, { command, signal: over.signal });
  await untilShown(shell, 'up');
  over.abort();
  expect(await shell.ended).toEqual({ isLeft: true });
  expect(await bytesOf(shell)).toEqual(Buffer.alloc(0));
  await expect.poll(() => existsSync(ended)).toBe(true);

  const other = await streams.openShell(robot.id);
  other.close();
  expect(await other.ended).toEqual({ isLeft: true });

  const enough = new Error('enough');
  await expect(streams.openShell(robot.id, { signal: AbortSignal.abort(enough) })).rejects.toBe(enough);
});

test('a shell that is not to be had, and one that was taken away, say why', async () => {
  await using world = await startWorld();
  const { robot_id: away } = await robotsOf(world).enroll('away');
  await using robot = await startShellRobot(world, { limits: { most: 1 } });
  const streams = streamsOf(world);
  expect(await errorOf(streams.openShell(away))).toMatchObject({ code: 1006, reason: 'conflict' });
  expect(await errorOf(streams.openShell('nobody'))).toMatchObject({ reason: 'not_found' });
  const shell = await streams.openShell(robot.id);
  expect((await errorOf(streams.openShell(robot.id))).reason).toBe('busy');
  await robot.stop();
  const end = await errorOf(shell.ended);
  expect(end.reason).toBe('gone');
  await expect(bytesOf(shell)).rejects.toBe(end);
});

test('an agent that sends more than may be sent, or what is no frame, costs a shell and no memory', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using agent = await shellAgent(world.url, token);
  vi.stubGlobal('WebSocket', PlatformSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
  async function begun(streams: Streams) {
    const opening = streams.openShell(id);
    const robot = await dialBack(world.url, await nextOpen(agent));
    await expect.poll(() => robot.frames[0]).toBe('{"type":"start","cols":80,"rows":24,"tty":true}');
    const ready = { type: 'ready', resume_token: 'abcdefghijklmnop', received: 0, grace_seconds: 60 };
    robot.socket.send(JSON.stringify(ready));
    return { shell: await opening, robot };
  }
  const tooMuch = 34 * 64 * 1024;
  const sendTooMuch = (socket: WebSocket) => {
    for (let sent = 0; sent < 34; sent += 1) socket.send(Buffer.alloc(64 * 1024));
  };
  // The socket of a page cannot be paused; one of `ws` is, until what came is read.
  const inPage = await begun(createClient({ baseUrl: world.url, token: world.orgToken }).streams);
  using robot = inPage.robot;
  sendTooMuch(robot.socket);
  expect((await errorOf(inPage.shell.ended)).reason).toBe('broken');

  const paused = await begun(streamsOf(world));
  using greedy = paused.robot;
  sendTooMuch(greedy.socket);
  greedy.socket.send('{"type":"exit","code":0}');
  expect((await bytesOf(paused.shell)).length).toBe(tooMuch);
  expect(await paused.shell.ended).toEqual({ code: 0 });

  const strange = await begun(streamsOf(world));
  using other = strange.robot;
  other.socket.send('{"type":"later"}');
  other.socket.send('{"type":"ack","bytes":-1}');
  expect((await errorOf(strange.shell.ended)).reason).toBe('broken');
});
