import type { ShellAgentFrame } from '../../../generated/shell.js';
import { closeCodes } from '../../../generated/protocol.js';
import type { ConnectionListener, ShellConnection } from '../../transport/shell/resumable-session.ts';
import { StreamError } from '../errors.ts';
import { bytesOf, fieldsOf } from './frames.ts';
import { streamConnection } from './stream-connection.ts';
import { endOfShell } from './stream-ends.ts';
import type { StreamSocket } from './stream-socket.ts';

/** The subprotocol with resize, signals, exit status and resume. */
export const shellProtocol = 'fleet.shell.v1';

/** How a shell's connection ended, or why it did not open. */
export interface ConnectionEnd {
  isFinal: boolean;
  error: StreamError;
}

export const connectionEnd = (error: StreamError): ConnectionEnd => ({ isFinal: !error.isRetryable, error });

/** Speaks `fleet.shell.v1` on a socket that is opening, or open and paused. */
export async function shellConnection(
  socket: StreamSocket,
  silentSeconds: number,
  told: ConnectionListener<ConnectionEnd>,
): Promise<ShellConnection | ConnectionEnd> {
  // Without pings, only unacknowledged input indicates a lost network: each reconnect is an entry in the audit log.
  let isAwaiting = true;
  let isBroken = false;
  let opened: () => void = () => undefined;
  const open = new Promise<undefined>((resolve) => (opened = () => resolve(undefined)));

  function broken(what: string): void {
    isBroken = true;
    connection.close(what);
    told.onEnd({ isFinal: true, error: agentBroke(what) });
  }

  const connection = streamConnection(socket, {
    silentSeconds,
    isAwaiting: () => isAwaiting,
    onOpen: () => opened(),
    onMessage(data) {
      if (!isBroken) take(data);
      return undefined;
    },
  });
  const { closed } = connection;

  function take(data: unknown): void {
    if (typeof data !== 'string') return told.onBytes(bytesOf(data));
    isAwaiting = false;
    const frame = frameOf(data);
    if (frame === 'broken') broken('an invalid frame');
    else if (frame) told.onFrame(frame);
  }

  const refused = await Promise.race([open, closed]);
  if (refused) return connectionEnd(endOfShell(refused));
  void closed.then((end) => {
    if (!isBroken) told.onEnd(connectionEnd(endOfShell(end)));
  });
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendBytes(bytes) {
      isAwaiting = true;
      socket.send(bytes);
    },
    pause() {
      // The window limits further output, unless the agent breaks the protocol.
      if (!connection.pause()) broken('it sent more than was acknowledged');
    },
    resume: () => connection.resume(),
    close: () => connection.close(),
  };
}

export const agentBroke = (what: string) =>
  new StreamError(`the robot’s agent violated the protocol: ${what}`, closeCodes.policy, 'broken');

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string';

type Fields = Record<string, unknown>;
/**
 * Written by hand: the contract's validators would double what a page loads, and the service has already applied them.
 */
const isRight: Record<ShellAgentFrame['type'], (frame: Fields) => boolean> = {
  ack: ({ bytes }) => isCount(bytes),
  ready: ({ resume_token, received, grace_seconds }) =>
    typeof resume_token === 'string' && isCount(received) && isCount(grace_seconds),
  exit: ({ code, signal }) => (code === undefined || Number.isSafeInteger(code)) && isTextOrNone(signal),
  failed: ({ reason, message }) => typeof reason === 'string' && isTextOrNone(message),
};

/** Undefined for a frame of a later version. */
function frameOf(text: string): ShellAgentFrame | 'broken' | undefined {
  const frame = fieldsOf(text);
  if (!frame) return 'broken';
  const type = String(frame['type']);
  if (!Object.hasOwn(isRight, type)) return undefined;
  // The line below validates it.
  return isRight[type as ShellAgentFrame['type']](frame) ? (frame as unknown as ShellAgentFrame) : 'broken';
}
