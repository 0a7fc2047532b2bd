import type { RawData, WebSocket } from 'ws';
import { closeCodes, limits } from '../../../generated/protocol.js';
import { shellAgentFrames, viewerFrames } from '../../../generated/shell.js';
import { faultOf, readTextFrame, type Direction } from '../../platform/ws/text-frames.ts';
import type { Close } from './close-codes.ts';

/** By sender. */
const directions = {
  viewer: { sent: viewerFrames, received: shellAgentFrames },
  robot: { sent: shellAgentFrames, received: viewerFrames },
} satisfies Record<string, Direction>;

/**
 * Checks the text frames of one end of a `fleet.shell.v1` shell. Binary frames are terminal bytes and cost nothing
 * here. `onFault` must close the socket. Listeners added later then see a closing socket, and forward nothing from it.
 */
export function checkFrames(socket: WebSocket, from: keyof typeof directions, onFault: (close: Close) => void): void {
  socket.on('message', (data, isBinary) => {
    if (isBinary || socket.readyState !== socket.OPEN) return;
    const close = closeFor(data, directions[from]);
    if (close) onFault(close);
  });
}

function closeFor(data: RawData, direction: Direction): Close | undefined {
  const bytes = data as Buffer; // always a Buffer with our binary type
  if (bytes.length > limits.maxShellTextBytes)
    return [closeCodes.tooBig, `a text frame of more than ${limits.maxShellTextBytes} bytes`];
  const frame = readTextFrame(bytes);
  const fault = typeof frame === 'string' ? frame : faultOf(frame, direction);
  return fault === undefined ? undefined : [closeCodes.policy, fault];
}
