import type { WebSocket } from 'ws';
import { closeCodes, limits } from '../../../generated/protocol.js';
import { shellAgentFrames, type ShellAgentFrame } from '../../../generated/shell.js';
import { CliError } from '../../command-line/errors.ts';
import type { StreamEnd } from '../viewer-socket.ts';
import { shellEndOf } from './ends.ts';
import type { ConnectionListener, ShellConnection } from '../../transport/shell/resumable-session.ts';

interface ConnectionSettings extends ConnectionListener<StreamEnd> {
  socket: WebSocket;
  /** Default: what the protocol says. */
  pingEveryMs?: number | undefined;
  deadAfterMs?: number | undefined;
}

const knownFrames: Partial<Record<string, (frame: unknown) => unknown>> = shellAgentFrames;
/** A service that does not answer our goodbye is not waited for longer. */
const closeWithinMs = 300;

/** Speaks fleet.shell.v1 on a socket that is open, and may be paused. A robot that breaks the protocol ends it: that is final. */
export function shellConnection(settings: ConnectionSettings): ShellConnection {
  const { socket, onFrame, onBytes, onEnd } = settings;
  const { pingEveryMs = limits.pingEveryMs, deadAfterMs = limits.deadAfterMs } = settings;
  let isOver = false;
  // Counted in pings: after the machine slept, or this process was stopped, the clock says nothing about the other side.
  let silentMs = 0;
  const heard = () => void (silentMs = 0);
  const timer = setInterval(() => {
    silentMs += pingEveryMs;
    if (silentMs > deadAfterMs) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, pingEveryMs);

  function over(end: StreamEnd): void {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    onEnd(end);
  }

  function close(code: number, reason?: string): void {
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), closeWithinMs).unref();
  }

  function broken(what: string): void {
    close(closeCodes.policy, what);
    over({ isFinal: true, error: new CliError(`the robot’s agent broke the protocol: ${what}`) });
  }

  function take(text: string): void {
    let frame: { type?: unknown } | null;
    try {
      frame = JSON.parse(text) as typeof frame;
    } catch {
      return broken('a text frame is not JSON');
    }
    const type = String(frame?.type);
    // Frames of a later version are none of ours.
    const isRight = Object.hasOwn(knownFrames, type) ? knownFrames[type] : undefined;
    if (!isRight) return;
    if (isRight(frame)) onFrame(frame as ShellAgentFrame);
    else broken(`a frame "${type}" is not as it should be`);
  }

  socket
    .on('message', (data: Buffer, isBinary: boolean) => {
      heard();
      if (isOver) return;
      if (isBinary) onBytes(data);
      else take(data.toString('utf8'));
    })
    .on('ping', heard)
    .on('pong', heard)
    .on('error', () => undefined) // its close follows
    .on('close', (code, reason) => over(shellEndOf(code, reason.toString('utf8'))));
  socket.resume();
  if (socket.readyState === socket.CLOSED) queueMicrotask(() => over(shellEndOf(1006, '')));

  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendBytes: (bytes) => socket.send(bytes),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => close(closeCodes.ended),
  };
}
