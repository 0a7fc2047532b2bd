import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { RawData, WebSocket } from 'ws';
import { notFound } from '../../kernel/errors.ts';
import { patientWrites } from '../../kernel/patient-writes.ts';
import type { FlowControl } from '../../platform/ws/flow-control.ts';
import { asciicast } from './asciicast.ts';
import { defaultLimits, type Fault, type RecordingLimits, type SessionEnd, type SessionFacts } from './model.ts';
import { recorder } from './recorder.ts';
import { sessionStore } from './store.ts';

export type { Fault, RecordingLimits } from './model.ts';

export type ShellSessionService = ReturnType<typeof shellSessionService>;
export type ShellSessions = ReturnType<typeof createShellSessions>;

/** Stored shell sessions and recordings. */
export function shellSessionService(db: Knex) {
  const store = sessionStore(db);
  return {
    list: store.list,
    endLeft: store.endLeft,
    dropOlder: store.dropOlder,

    /** The recording so far. @throws not_found, also for a session that is not recorded */
    async openRecording(orgId: string, id: string): Promise<{ size: number; bytes: AsyncIterable<Buffer> }> {
      const there = await store.measure(orgId, id);
      if (!there) throw notFound('recording');
      return { size: there.bytes, bytes: store.read(orgId, id, there.chunks) };
    },
  };
}

interface ShellSessionSettings {
  db: Knex;
  log: Logger;
  replicaId: string;
  limits?: Partial<RecordingLimits>;
}

/** The two ends of a shell, before anything has passed. */
interface Ends {
  viewer: WebSocket;
  robot: WebSocket;
  flowControl: FlowControl; // of the robot's socket, beside that of the pipe
  early: readonly [data: RawData, isBinary: boolean][]; // earlier frames of the viewer
  protocol: string | undefined;
  parameters: Record<string, unknown>; // cols and rows
  /** The shell can no longer be recorded, and must be closed. */
  onFault(fault: Fault): void;
}

/** The open shells of this replica. Each has a row from its start, and a recording if the org wants one. */
export function createShellSessions({ db, log, replicaId, limits: changed = {} }: ShellSessionSettings) {
  const store = sessionStore(db);
  const limits = { ...defaultLimits, ...changed };
  const ends = patientWrites();

  /** Records all frames from now on. The robot's socket is paused while too much is unwritten. */
  function record(facts: SessionFacts, { viewer, robot, flowControl, early, protocol, parameters, onFault }: Ends) {
    const { cols, rows } = parameters as { cols: number; rows: number };
    const cast = asciicast({ protocol, cols, rows });
    let hasBegun = false;
    const written = recorder({
      limits,
      async write(seq, data) {
        // Without its session in the list, nobody would find it.
        if (!hasBegun) await store.begin(facts, replicaId);
        hasBegun = true;
        await store.addChunk(facts.orgId, facts.id, seq, data);
      },
      onFull: flowControl.pause,
      onRoom: flowControl.resume,
      onFault(fault, error) {
        log.error(
          { err: error, orgId: facts.orgId, session: facts.id, fault },
          'a shell cannot be recorded; closing it',
        );
        onFault(fault);
      },
    });
    const hear =
      (turn: (data: Buffer, isBinary: boolean) => string) =>
      (data: RawData, isBinary: boolean): void => {
        // Like the pipe: frames that arrive once an end closes are not shown.
        if (viewer.readyState === viewer.OPEN && robot.readyState === robot.OPEN)
          written.add(turn(data as Buffer, isBinary)); // always a Buffer with our binary type
      };
    const fromViewer = hear(cast.fromViewer);
    for (const frame of early) fromViewer(...frame);
    viewer.on('message', fromViewer);
    robot.on('message', hear(cast.fromRobot));
    return async () => {
      written.add(cast.end());
      await written.end();
    };
  }

  const orTell = (orgId: string, work: Promise<void>) =>
    work.catch((error: unknown) => log.error({ err: error, orgId }, 'a shell session could not be stored'));

  return {
    /** Registers a shell whose ends are about to be joined. Returns the function to call once, at its end. */
    begin(facts: SessionFacts, sockets: Ends): (end: SessionEnd) => void {
      const begun = orTell(facts.orgId, store.begin(facts, replicaId));
      const endRecording = facts.recorded ? record(facts, sockets) : undefined;
      return (end) =>
        ends.add(
          orTell(
            facts.orgId,
            (async () => {
              await endRecording?.();
              await begun;
              // Otherwise an ended shell stays open in the list as long as this replica lives.
              await ends.retry(() => store.end(facts, replicaId, end));
            })(),
          ),
        );
    },

    /** Resolves when the data of ended shells is written, or cannot be. */
    written: ends.written,
  };
}
