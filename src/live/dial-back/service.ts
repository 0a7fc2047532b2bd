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
import type { ShellWish } from './model.ts';
import type { StreamNotes } from './notes.ts';
import { hold, pipe, type Frame, type Passed } from './pipe.ts';
import { checkFrames } from './shell-frames.ts';

export { createDialBacks, type DialBacks } from './dial-back.ts';
export { closeForNext, closeNow, closeOfSource } from './close-codes.ts';
export { streamNotes, type StreamNotes } from './notes.ts';
export type { Arrival, ShellWish } from './model.ts';

interface RelaySettings {
  viewers: Viewers;
  sessions: ShellSessions;
  calls: DialBacks;
  notes: StreamNotes;
}

/** A stream between a viewer and an agent, held where the viewer is. */
interface Session {
  id: string;
  wish: ShellWish;
  viewer: WebSocket;
  early: () => Frame[]; // what the viewer sent while the agent was waited for
}

export type DialBackService = ReturnType<typeof createDialBackService>;

/** Live streams of one viewer each: asked for here, joined here. */
export function createDialBackService({ viewers, sessions, calls, notes }: RelaySettings) {
  /** Takes a viewer's socket over and asks the agent for the other end. */
  function open(viewer: WebSocket, wish: ShellWish, place: LinkPlace): void {
    let robot: WebSocket | undefined; // once it is joined
    if (wish.protocol !== undefined)
      checkFrames(viewer, 'viewer', (close) => {
        closeNow(viewer, close);
        if (robot) closeNow(robot, closeForRobotOnFault);
      });
    const session: Session = { id: newId(), wish, viewer, early: hold(viewer) };
    viewers.add(viewer, wish, (code) => robot && closeNow(robot, closeForRobot(code)));
    if (viewer.readyState !== viewer.OPEN) return;
    const { orgId, robotId, kind, protocol, recorded, parameters } = wish;
    const call = { sessionId: session.id, orgId, robotId, kind, protocol, recorded, parameters };
    const cancel = calls.begin(
      place,
      { ...call, openedBy: openedBy(wish) },
      {
        joined: (socket) => {
          robot = socket;
          join(session, socket);
        },
        failed: (code, reason) => {
          notes.write(session.id, wish, 'fail', { code, reason: reason.toString() });
          closeNow(viewer, [code, reason]);
        },
      },
    );
    viewer.on('close', cancel);
  }

  function join(session: Session, robot: WebSocket): void {
    const { id, wish, viewer } = session;
    const joinedMs = performance.now();
    endAfterRobot(viewer, robot);
    if (viewer.readyState !== viewer.OPEN) return closeNow(robot, closeForRobot(closeCodes.ended));
    notes.write(id, wish, 'open', { recorded: wish.recorded });
    const early = session.early();
    const { protocol, parameters } = wish;
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
    const brake = flowControlOf(robot);
    const ends = { viewer, robot, brake: brake(), early, protocol, parameters, onFault };
    const noteEnd = sessions.begin(factsOf(session), ends);
    const passed = pipe(viewer, robot, { early, brake: brake() });
    viewer.on('close', (code) => {
      closeNow(robot, closeForRobot(code));
      const told = tellOf(joinedMs, passed);
      notes.write(id, wish, 'close', { ...told, code });
      noteEnd({
        seconds: told.seconds,
        bytesFromViewer: passed.fromViewer,
        bytesToViewer: passed.toViewer,
        closeCode: code,
      });
    });
  }

  return { open };
}

/** Who goes on with a shell must be who began it: the person, or the token where there is none. */
const openedBy = ({ caller, tokenId }: ShellWish) =>
  caller.kind === 'user' ? `user:${caller.userId}` : `token:${tokenId}`;

const factsOf = ({ id, wish: { orgId, robotId, tokenId, caller, recorded } }: Session) => {
  const userId = caller.kind === 'user' ? caller.userId : undefined;
  return { id, orgId, robotId, tokenId, userId, recorded };
};

/** A recording that is full ends the shell; where it was only not written, another one may go on with it. */
const faults: Record<Fault, [code: number, reason: string]> = {
  full: [closeCodes.forbidden, 'the recording of this shell is full'],
  not_written: [closeCodes.tryLater, 'this shell cannot be recorded now'],
};

const tellOf = (joinedMs: number, { fromViewer, toViewer }: Passed) => ({
  seconds: Math.round((performance.now() - joinedMs) / 100) / 10,
  bytes_from_viewer: fromViewer,
  bytes_to_viewer: toViewer,
});
