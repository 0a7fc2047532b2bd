import { closeCodes } from '../../../generated/protocol.js';
import type { ShellAgentFrame } from '../../../generated/shell.js';
import type { ConnectionListener, ShellConnection } from '../../transport/shell/resumable-session.ts';
import { StreamError } from '../errors.ts';
import { bytesOf, endOf, fieldsOf } from './stream-connector.ts';
import { untilClosed, type StreamClose } from './socket.ts';
import type { StreamSocket } from './stream-socket.ts';

/** How a connection of a shell ended, or why there is none. */
export interface ConnectionEnd {
  isFinal: boolean;
  error: StreamError;
}

/** Speaks `fleet.shell.v1` on a socket that is being opened. */
export async function shellConnection(
  socket: StreamSocket,
  silentSeconds: number,
  told: ConnectionListener<ConnectionEnd>,
): Promise<ShellConnection | ConnectionEnd> {
  // Where no ping is seen, only what was typed and is not answered tells that the network is gone: another connection is another line in the audit log.
  let isAwaiting = true;
  let isBroken = false;
  let opened: () => void = () => undefined;
  const open = new Promise<undefined>((resolve) => (opened = () => resolve(undefined)));

  function broken(what: string): void {
    isBroken = true;
    // A page may close by no other code of the standard's.
    socket.close(closeCodes.ended, what);
    told.onEnd({ isFinal: true, error: agentBroke(what) });
  }

  const closed = untilClosed(socket, {
    silentSeconds,
    isAwaiting: () => isAwaiting,
    onOpen: () => opened(),
    onMessage(data) {
      if (isBroken) return;
      if (typeof data !== 'string') return told.onBytes(bytesOf(data));
      isAwaiting = false;
      const frame = frameOf(data);
      if (frame === 'broken') broken('a frame is not as it should be');
      else if (frame) told.onFrame(frame);
    },
  });
  const refused = await Promise.race([open, closed]);
  if (refused) return endOfShell(refused);
  void closed.then((end) => {
    if (!isBroken) told.onEnd(endOfShell(end));
  });
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendBytes(bytes) {
      isAwaiting = true;
      socket.send(bytes);
    },
    // Nothing more comes than fits into the window, unless the agent breaks the protocol; and a browser's socket cannot be paused.
    pause: () => broken('it sends more than was acknowledged'),
    resume: () => undefined,
    close: () => socket.close(closeCodes.ended),
  };
}

export const agentBroke = (what: string) =>
  new StreamError(`the robot’s agent broke the protocol: ${what}`, closeCodes.policy, 'broken');

/** A shell that was ended, or that another connection went on with, is not there for us any more. */
function endOfShell(close: StreamClose): ConnectionEnd {
  const { isFinal, error } = endOf(close);
  return { isFinal: isFinal || ['ended', 'replaced'].includes(error.reason), error };
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string';

type Fields = Record<string, unknown>;
const isRight: Record<ShellAgentFrame['type'], (frame: Fields) => boolean> = {
  ack: ({ bytes }) => isCount(bytes),
  ready: ({ resume_token, received, grace_seconds }) =>
    typeof resume_token === 'string' && isCount(received) && isCount(grace_seconds),
  exit: ({ code, signal }) => (code === undefined || Number.isSafeInteger(code)) && isTextOrNone(signal),
  failed: ({ reason, message }) => typeof reason === 'string' && isTextOrNone(message),
};

/** Undefined for one of a later version. */
function frameOf(text: string): ShellAgentFrame | 'broken' | undefined {
  const frame = fieldsOf(text);
  if (!frame) return 'broken';
  const type = String(frame['type']);
  if (!Object.hasOwn(isRight, type)) return undefined;
  // It was just found to be one of them.
  return isRight[type as ShellAgentFrame['type']](frame) ? (frame as unknown as ShellAgentFrame) : 'broken';
}
