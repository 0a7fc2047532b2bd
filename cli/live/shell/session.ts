import type { WebSocket } from 'ws';
import { CliError } from '../../command-line/errors.ts';
import type { StreamEnd } from '../viewer-socket.ts';
import { shellConnection } from './connection.ts';
import { cutOff, unreachable } from './ends.ts';
import { resumableSession, type Output, type ShellTrouble } from '../../transport/shell/resumable-session.ts';

interface SessionSettings extends Omit<
  Parameters<typeof resumableSession<StreamEnd>>[0],
  'connect' | 'errorOf' | 'onOutput'
> {
  /** Opens a connection to the robot, or tells why there is none. */
  connect(): Promise<WebSocket | StreamEnd>;
  onOutput(to: Output, bytes: Buffer): void;
}

export type ShellSession = ReturnType<typeof shellSession>;

/** A shell of `cli`: over sockets of `ws`, with what people are told where it ends otherwise than by itself. */
export function shellSession({ connect, onOutput, ...settings }: SessionSettings) {
  const session = resumableSession<StreamEnd>({
    ...settings,
    async connect(told) {
      const socket = await connect();
      return 'isFinal' in socket ? socket : shellConnection({ socket, ...told });
    },
    // What `ws` gives is a Buffer already; this one shares its bytes.
    onOutput: (to, { buffer, byteOffset, length }) => onOutput(to, Buffer.from(buffer, byteOffset, length)),
    errorOf,
  });
  return { ...session, fail: (message: string, cause: Error) => session.fail(cutOff(message, cause)) };
}

function errorOf(trouble: ShellTrouble<StreamEnd>): CliError {
  switch (trouble.kind) {
    case 'unopened':
      return trouble.end.isBroken ? unreachable(trouble.end.error) : trouble.end.error;
    case 'ended':
      return cutOff(trouble.end.error.message, trouble.end.error);
    case 'late': {
      const { end, graceSeconds } = trouble;
      const message = `the connection was lost, and not back within ${graceSeconds} s: ${end.error.message}`;
      return cutOff(message, end.error);
    }
    case 'failed': {
      const { message, reason } = trouble.frame;
      const error = new CliError(message ?? `the robot gives no shell: ${reason}`);
      return trouble.hasBegun ? cutOff(error.message, error) : error;
    }
    case 'broken': {
      const error = new CliError(`the robot’s agent ${trouble.what}`);
      return cutOff(error.message, error);
    }
  }
}
