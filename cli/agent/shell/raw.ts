import { closeCodes } from '../../../generated/protocol.js';
import type { StreamListener, StreamSocket } from '../streams/socket.ts';
import type { ProgramEnd } from './program.ts';
import { beginShell, type ShellSettings } from './shell.ts';

/** A shell whose connection carries only bytes, no frames. */
interface RawShell {
  on: StreamListener;
  /** The agent stops. */
  stop(): void;
  /** When no time is left. */
  kill(): void;
}

/** `over` is called once, when the program has ended. @throws when it cannot be started */
export function rawShell(settings: ShellSettings, socket: () => StreamSocket, over: () => void): RawShell {
  let isClosed = false;
  let last: [code: number, reason: string] | undefined;

  const flow = () => {
    if (socket().isCongested && !isClosed) shell.pause();
    else shell.resume();
  };
  const shell = beginShell(settings, {
    output(bytes) {
      if (isClosed) return;
      socket().send(bytes);
      if (socket().isCongested) shell.pause();
    },
    drained: () => socket().resume(),
    idle: () => (last = [closeCodes.ended, `idle for ${Math.round(settings.idleMs / 60_000)} min`]),
    ended(end) {
      if (!isClosed) socket().close(...(last ?? [closeCodes.ended, textOf(end)]));
      over();
    },
  });

  return {
    on: {
      message(data) {
        if (!shell.write(data)) socket().pause();
      },
      eased: flow,
      closed() {
        isClosed = true;
        // The program cannot end while its output waits.
        flow();
        shell.end();
      },
    },
    stop() {
      last = [closeCodes.restarting, 'the agent was stopped'];
      shell.end();
    },
    kill: () => shell.kill(),
  };
}

const textOf = ({ code, signal }: ProgramEnd) => (signal === undefined ? `exit ${code ?? 0}` : `signal ${signal}`);
