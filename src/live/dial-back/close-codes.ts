import type { WebSocket } from 'ws';
import { closeCodes, limits } from '../../../generated/protocol.js';
import { closeReason } from '../../platform/ws/close-reason.ts';

export type Close = [code: number, reason: string | Buffer];

/** Codes for a close without a code, and for a broken connection. Neither may be sent. */
const noCode = 1_005;
const broken = 1_006;
const goingAway = 1_001;

/** Codes that an agent may send to a viewer. Any other code could make a client discard its token. */
const ofAgents = new Set<number>([
  goingAway,
  closeCodes.ended,
  closeCodes.policy,
  closeCodes.tooBig,
  closeCodes.serverError,
  closeCodes.restarting,
  closeCodes.tryLater,
  closeCodes.forbidden,
  closeCodes.helloTimeout,
  closeCodes.replaced,
  closeCodes.gone,
  closeCodes.busy,
  closeCodes.agentOffline,
]);

/**
 * How the viewer's socket closes when the agent refuses a stream. A Map: the reason comes from the agent, and may be
 * `constructor`.
 */
const refusals = new Map<string, Close>([
  ['forbidden', [closeCodes.forbidden, 'the robot does not allow this stream']],
  ['unsupported', [closeCodes.forbidden, 'the agent does not support this stream']],
  ['busy', [closeCodes.busy, 'the robot has reached its limit of streams']],
  ['not_found', [closeCodes.notFound, 'the robot does not have it']],
]);

export function closeOfRefusal(reason: string, message: string | undefined): Close {
  const [code, usual] = refusals.get(reason) ?? [closeCodes.serverError, 'the robot could not open the stream'];
  return [code, message === undefined ? usual : closeReason(message)];
}

/** How the viewer's socket closes after the robot's. `fault`: the code of the error with which ws closed it. */
function closeForViewer(code: number, reason: Buffer, fault: string | undefined, maxFrameBytes: number): Close {
  if (fault === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return [closeCodes.tooBig, `the robot sent a frame of more than ${maxFrameBytes} bytes`];
  if (fault !== undefined) return [closeCodes.policy, 'the robot violated the protocol'];
  if (code === broken) return [closeCodes.agentOffline, 'the connection to the robot was lost'];
  if (code === noCode) return [closeCodes.ended, ''];
  return [ofAgents.has(code) ? code : closeCodes.serverError, reason];
}

/**
 * How the robot's socket closes after the viewer's. A stream whose viewer lost its rights ends for good; one that was
 * only disconnected may be resumed.
 */
export function closeForRobot(code: number): Close {
  switch (code) {
    case closeCodes.ended:
    case noCode:
      return [closeCodes.ended, ''];
    case closeCodes.unauthorized:
    case closeCodes.notFound:
    case closeCodes.forbidden:
      return [closeCodes.forbidden, 'the viewer is no longer allowed to watch'];
    case closeCodes.restarting:
      return [closeCodes.restarting, 'the service is stopping'];
    default:
      return [goingAway, 'the connection to the viewer was lost'];
  }
}

/** How the robot's socket closes after an invalid frame of the viewer: the shell may be resumed. */
export const closeForRobotOnFault: Close = [goingAway, 'the viewer violated the protocol'];

/** How the viewer's socket closes when the robot's is closed for an invalid frame. */
export const closeForViewerOnFault = ([code, fault]: Close): Close => [
  code,
  closeReason(`the robot violated the protocol: ${fault.toString()}`),
];

/** How the robot's socket closes after the socket of the viewer's replica. */
export const closeForNext = (code: number, reason: Buffer): Close =>
  code === broken
    ? [closeCodes.restarting, 'the connection within the service was lost']
    : [code === noCode ? closeCodes.ended : code, reason];

/** Reports how to close the viewer once the robot's socket is closed. */
export function closeOfSource(robot: WebSocket, onOver: (close: Close) => void, maxFrameBytes: number): void {
  let fault: string | undefined;
  robot.on('error', (error: Error & { code?: string }) => {
    if (error.code?.startsWith('WS_ERR')) fault = error.code;
  });
  robot.on('close', (code, reason) => onOver(closeForViewer(code, reason, fault, maxFrameBytes)));
}

/** Closes the viewer's socket, or the one towards it, after the robot's. */
export const endAfterRobot = (
  viewer: WebSocket,
  robot: WebSocket,
  maxFrameBytes: number = limits.maxFrameBytes,
): void => closeOfSource(robot, (close) => closeAfterAll(viewer, close), maxFrameBytes);

/**
 * Closes a socket once its reader has received what is queued. The closing handshake has a time limit; the tail of a
 * stream has none.
 */
export function closeAfterAll(socket: WebSocket, [code, reason]: Close): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.resume(); // a paused socket never receives the reply
  if (socket.bufferedAmount === 0) return socket.close(code, reason);
  // Frames are sent in order, so this one is sent once all before it are.
  socket.ping(undefined, undefined, () => socket.close(code, reason));
}

export function closeNow(socket: WebSocket, [code, reason]: Close): void {
  socket.resume();
  socket.close(code, reason);
}
