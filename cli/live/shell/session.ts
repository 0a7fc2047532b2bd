import { StreamError } from '../../client/errors.ts';
import {
  connectionEnd,
  shellConnection,
  shellProtocol,
  type ConnectionEnd,
} from '../../client/streams/shell-connection.ts';
import type { StreamConnector } from '../../client/streams/stream-connector.ts';
import { resumableSession, type Output } from '../../transport/shell/resumable-session.ts';
import { cutOff, errorOf } from './ends.ts';

interface SessionSettings extends Omit<
  Parameters<typeof resumableSession<ConnectionEnd>>[0],
  'connect' | 'errorOf' | 'onOutput'
> {
  connector: StreamConnector;
  robotId: string;
  onOutput(to: Output, bytes: Buffer): void;
}

export type ShellSession = ReturnType<typeof shellSession>;

/** A shell of `cli`, with the error for people if it does not end by itself. */
export function shellSession({ connector, robotId, onOutput, ...settings }: SessionSettings) {
  const session = resumableSession<ConnectionEnd>({
    ...settings,
    async connect(told) {
      try {
        const { socket } = await connector.open(robotId, 'shell', { ...settings.size() }, shellProtocol);
        return await shellConnection(socket, connector.silentSeconds, told);
      } catch (error) {
        if (error instanceof StreamError) return connectionEnd(error);
        throw error;
      }
    },
    onOutput: (to, { buffer, byteOffset, length }) => onOutput(to, Buffer.from(buffer, byteOffset, length)),
    errorOf,
  });
  return { ...session, fail: (message: string, cause: Error) => session.fail(cutOff(message, cause)) };
}
