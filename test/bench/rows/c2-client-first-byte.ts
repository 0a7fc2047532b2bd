import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../harness/built.ts';
import { timeNode } from '../harness/child.ts';
import { fastestOf, pair } from '../harness/pairing.ts';
import { ratioLine, type Row } from '../harness/row.ts';
import { startsPerSample } from './c1-client-start.ts';

const body = '{"items":[]}';
const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
const token = `svc_user_${'0'.repeat(64)}`;

/** A listener that takes the time of the first byte of each connection and answers an empty list. */
async function startClock() {
  let firstByte: (at: bigint) => void = () => undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // a client that hangs up early shows in its exit code
    socket.once('data', () => {
      firstByte(process.hrtime.bigint());
      socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextFirstByte: () => new Promise<bigint>((resolve) => (firstByte = resolve)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Spawn to the first byte of the request on the wire, as after a login: the token and the address stand in the credentials file. */
export const clientFirstByteRow: Row = {
  id: 'C2',
  work: 'cli robots list up to its first byte sent',
  against: 'node -e 0',
  async run(context) {
    const script = built('dist/cli/main.js');
    await using clock = await startClock();
    const home = await mkdtemp(join(tmpdir(), 'bench-home-'));
    const folder = join(home, '.config', 'service');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'credentials.toml'), `token = "${token}"\nbase_url = "${clock.url}"\n`, {
      mode: 0o600,
    });
    const list = async () => {
      const firstByte = clock.nextFirstByte();
      const startedAt = process.hrtime.bigint();
      const child = spawn(process.execPath, [script, 'robots', 'list'], {
        env: { PATH: process.env['PATH'], HOME: home },
        stdio: 'ignore',
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const at = await Promise.race([firstByte, ended]);
      if (typeof at !== 'bigint') throw new Error(`cli robots list ended with ${String(at)} and sent nothing`);
      const code = await ended;
      if (code !== 0) throw new Error(`cli robots list ended with ${String(code)}`);
      return Number(at - startedAt) / 1e6;
    };
    try {
      const rounds = await pair({
        rounds: context.rounds(21),
        ours: fastestOf(startsPerSample, list),
        peer: fastestOf(startsPerSample, () => timeNode(['-e', '0'])),
      });
      return [ratioLine('ms to the first byte', rounds, 1.6)];
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};
