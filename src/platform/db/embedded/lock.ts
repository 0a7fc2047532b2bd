import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, FolderInUseError } from './types.ts';

/*
 * One process at a time holds a data folder. Each contender listens on a Unix socket <data folder>/lock/<pid>-<ticket>,
 * which returns its state, and then queries the others:
 *
 *   trying → held      no other process responds
 *   trying → refused   another process holds it, or is trying with a lower ticket
 *   trying → trying    another process is trying with a higher ticket: it withdraws or it holds, so query again
 *
 * Every contender is listed before it reads the list. So of two concurrent ones at least one sees the other. The kernel
 * closes a socket with its process: after a kill -9 only a dead socket file remains. No name is used twice, so removing
 * a dead file can never remove a live lock. Lock files that contain a pid have that race.
 */

const answers = { trying: 't', held: 'h' } as const;
const muteAfterMs = 1_000;

/** Held until `release` or the end of the process. */
interface DataFolderLock {
  release(): Promise<void>;
}

/**
 * @param dataDir named in the error
 * @param shortDir the same folder under a path short enough for socket addresses
 * @param whenInUse what the refused process can do, the end of a sentence
 * @throws FolderInUseError at once if another process holds the folder
 */
export async function lockDataFolder(
  dataDir: string,
  shortDir: string,
  whenInUse = 'stop that one, or set SERVICE_DATA_DIR to another folder',
): Promise<DataFolderLock> {
  const folder = join(shortDir, 'lock');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ticket = randomBytes(6).toString('hex');
  const name = `${process.pid}-${ticket}`;
  const state: { now: keyof typeof answers } = { now: 'trying' };
  const server = await listen(join(folder, `.${name}`), () => answers[state.now]);
  const release = async (): Promise<void> => {
    await rm(join(folder, name), { force: true });
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    // Listed only from here on: between bind and listen it would look dead.
    await rename(join(folder, `.${name}`), join(folder, name));
    for (;;) {
      const others = await listOthers(folder, name);
      const winner = others.find((other) => other.held || other.ticket < ticket);
      if (winner) {
        throw new FolderInUseError(`the data folder ${dataDir} is in use by process ${winner.pid}: ${whenInUse}`);
      }
      if (others.length === 0) break;
      await delay(5);
    }
    state.now = 'held';
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

interface Contender {
  pid: string;
  ticket: string;
  held: boolean;
}

async function listOthers(folder: string, ownName: string): Promise<Contender[]> {
  const others: Contender[] = [];
  for (const entry of await readdir(folder)) {
    const [, pid, ticket] = /^(\d+)-([0-9a-f]+)$/.exec(entry) ?? [];
    if (pid === undefined || ticket === undefined || entry === ownName) continue;
    const state = await ask(join(folder, entry));
    if (state === 'dead') await rm(join(folder, entry), { force: true });
    else if (state !== 'gone') others.push({ pid, ticket, held: state === 'held' });
  }
  return others;
}

/** A process too busy to respond counts as a holder: the kernel accepted the connection, so the process is alive. */
function ask(path: string): Promise<'trying' | 'held' | 'gone' | 'dead'> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const settle = (state: 'trying' | 'held' | 'gone' | 'dead'): void => {
      socket.destroy();
      resolve(state);
    };
    socket.setTimeout(muteAfterMs, () => settle('held'));
    socket.once('data', (answer) => settle(answer.toString() === answers.trying ? 'trying' : 'held'));
    socket.once('end', () => settle('gone'));
    socket.once('error', (error) => {
      const code = errorCode(error);
      if (code === 'ECONNREFUSED') settle('dead');
      else if (code === 'ENOENT' || code === 'ECONNRESET' || code === 'EPIPE') settle('gone');
      else if (code === 'EAGAIN') settle('held');
      else reject(error);
    });
  });
}

/** The lock never keeps its process alive. */
function listen(path: string, answer: () => string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined); // a caller that disconnected early
      socket.end(answer());
    });
    server.unref();
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}
