import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import { newId } from '../../kernel/ids.ts';
import { flowControlOf } from '../../platform/ws/flow-control.ts';
import type { Fault, ShellSessions } from '../recordings/service.ts';
import type { LinkPlace } from '../../agent-links/service.ts';
import type { Viewers } from '../viewers/service.ts';
import type { DialBacks } from './dial-back.ts';
import {
  closeAfterAll,
  closeForRobot,
  closeForRobotOnFault,
  closeNow,
  closeForViewerOnFault,
  endAfterRobot,
} from './close-codes.ts';
import type { ShellRequest } from './model.ts';
import type { StreamNotes } from './notes.ts';
import { hold, pipe, type Frame, type BytesTransferred } from './pipe.ts';
import { checkFrames } from './shell-frames.ts';

export { createDialBacks, type DialBacks } from './dial-back.ts';
export { closeForNext, closeNow, closeOfSource } from './close-codes.ts';
export { streamAudit, type StreamNotes } from './notes.ts';
export type { AuthenticatedDialBack, ShellRequest } from './model.ts';

interface ShellServiceSettings {
  viewers: Viewers;
  sessions: ShellSessions;
  dialBacks: DialBacks;
  notes: StreamNotes;
}

/** A stream between a viewer and an agent, held by the viewer's replica. */
interface Session {
  id: string;
  request: ShellRequest;
  viewer: WebSocket;
  early: () => Frame[]; // what the viewer sent before the agent dialled back
}

export type ShellService = ReturnType<typeof createShellService>;

/** Live streams with one viewer each, requested and joined on this replica. */
export function createShellService({ viewers, sessions, dialBacks, notes }: ShellServiceSettings) {
  /** Takes over a viewer's socket, and requests the other end from the agent. */
  function open(viewer: WebSocket, request: ShellRequest, place: LinkPlace): void {
    let robot: WebSocket | undefined; // once it is joined
    if (request.protocol !== undefined)
      checkFrames(viewer, 'viewer', (close) => {
        closeNow(viewer, close);
        if (robot) closeNow(robot, closeForRobotOnFault);
      });
    const session: Session = { id: newId(), request, viewer, early: hold(viewer) };
    viewers.add(viewer, request, (code) => robot && closeNow(robot, closeForRobot(code)));
    if (viewer.readyState !== viewer.OPEN) return;
    const { orgId, robotId, kind, protocol, recorded, parameters } = request;
    const dialBackRequest = { sessionId: session.id, orgId, robotId, kind, protocol, recorded, parameters };
    const cancel = dialBacks.begin(
      place,
      { ...dialBackRequest, openedBy: openedBy(request) },
      {
        joined: (socket) => {
          robot = socket;
          join(session, socket);
        },
        failed: (code, reason) => {
          notes.write(session.id, request, 'fail', { code, reason: reason.toString() });
          closeNow(viewer, [code, reason]);
        },
      },
    );
    viewer.on('close', cancel);
  }

  function join(session: Session, robot: WebSocket): void {
    const { id, request, viewer } = session;
    const joinedMs = performance.now();
    endAfterRobot(viewer, robot);
    if (viewer.readyState !== viewer.OPEN) return closeNow(robot, closeForRobot(closeCodes.ended));
    notes.write(id, request, 'open', { recorded: request.recorded });
    const early = session.early();
    const { protocol, parameters } = request;
    if (protocol !== undefined)
      checkFrames(robot, 'robot', (close) => {
        closeNow(robot, close);
        closeAfterAll(viewer, closeForViewerOnFault(close));
      });
    const onFault = (fault: Fault) => {
      const [code, reason] = faults[fault];
      closeNow(viewer, [code, reason]);
      closeNow(robot, closeForRobot(code));
    };
    const newFlowControl = flowControlOf(robot);
    const ends = { viewer, robot, flowControl: newFlowControl(), early, protocol, parameters, onFault };
    const noteEnd = sessions.begin(factsOf(session), ends);
    const passed = pipe(viewer, robot, { early, flowControl: newFlowControl() });
    viewer.on('close', (code) => {
      closeNow(robot, closeForRobot(code));
      const summary = summaryOf(joinedMs, passed);
      notes.write(id, request, 'close', { ...summary, code });
      noteEnd({
        seconds: summary.seconds,
        bytesFromViewer: passed.fromViewer,
        bytesToViewer: passed.toViewer,
        closeCode: code,
      });
    });
  }

  return { open };
}

/** Only the opener of a shell may resume it: the user, or the token if there is no user. */
const openedBy = ({ caller, tokenId }: ShellRequest) =>
  caller.kind === 'user' ? `user:${caller.userId}` : `token:${tokenId}`;

const factsOf = ({ id, request: { orgId, robotId, tokenId, caller, recorded } }: Session) => {
  const userId = caller.kind === 'user' ? caller.userId : undefined;
  return { id, orgId, robotId, tokenId, userId, recorded };
};

/** A full recording ends the shell. If it only could not be written, another connection may resume the shell. */
const faults: Record<Fault, [code: number, reason: string]> = {
  full: [closeCodes.forbidden, 'the recording of this shell is full'],
  not_written: [closeCodes.tryLater, 'this shell cannot be recorded at the moment'],
};

const summaryOf = (joinedMs: number, { fromViewer, toViewer }: BytesTransferred) => ({
  seconds: Math.round((performance.now() - joinedMs) / 100) / 10,
  bytes_from_viewer: fromViewer,
  bytes_to_viewer: toViewer,
});
