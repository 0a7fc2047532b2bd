import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundle, type RunningServer } from './child.ts';
import { startOurs } from './ours.ts';

/** The built server with a watch on its event loop. */
export interface WatchedServer extends RunningServer {
  /** The longest time that the event loop was blocked since the last call, in ms. A time without a processor counts as well. */
  longestBlockMs(): Promise<number>;
}

export async function startWatched(env: Readonly<Record<string, string>>): Promise<WatchedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-loop-'));
  const path = join(folder, 'socket');
  const nodeFlags = ['--import', await bundle('harness/loop-watch-preload.ts')];
  const server = await startOurs({ ...env, BENCH_LOOP_SOCKET: path }, nodeFlags);
  return {
    ...server,
    longestBlockMs: async () => Number(await text(connect(path))),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
