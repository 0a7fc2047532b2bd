import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import type { Peers } from '../../platform/cluster/peers.ts';
import type { LinkPlace } from '../../agent-links/service.ts';
import type { OpenFrame, Refusal } from './model.ts';

interface AgentRequestSettings {
  replicaId: string; // our own
  peers: Peers | undefined;
  log: Logger;
  /** Sends a frame to a robot's agent. False where this process does not hold its link. */
  tellAgent(robotId: string, frame: object): boolean;
  /** How long a question of another replica may stand. */
  forgetAfterMs: number;
}

/** What became of a question, where it is not that the agent dials back. */
interface Answers {
  refused(refusal: Refusal): void;
  /** Nobody could be asked. */
  failed(code: number, reason: string): void;
  /** The link is not there, or its replica is stopping: it may be on its way to another one. */
  moved(code: number, reason: string): void;
}

/** An agent that was asked. */
export interface Asked {
  /** It came, or will not be waited for: nothing that it may say counts any more. */
  settle(): void;
  /** It need not come. */
  cancel(): void;
}

interface Question {
  socket: WebSocket;
  robotId: string;
}

const away = 'the replica that holds the link of the robot does not answer';

/**
 * Asks agents for streams: those linked here by their link, the others through the replica that holds it, by a WebSocket that lives as long as the
 * question. It carries `open` there, the agent's refusal back, and says by its close whether the stream is still wanted (1000: settled).
 */
export function agentRequests({ replicaId, peers, log, tellAgent, forgetAfterMs }: AgentRequestSettings) {
  const questions = new Map<string, Question>(); // of other replicas, by session

  const closeFrame = (sessionId: string) => ({ type: 'close', session_id: sessionId });

  function askHere(robotId: string, frame: OpenFrame, { moved }: Answers): Asked {
    if (!tellAgent(robotId, frame)) moved(closeCodes.agentOffline, 'agent offline');
    return { settle: () => undefined, cancel: () => void tellAgent(robotId, closeFrame(frame.session_id)) };
  }

  function askThere(socket: WebSocket, frame: OpenFrame, { refused, failed, moved }: Answers): Asked {
    let isOver = false;
    let isStopping = false;
    socket.on('open', () => socket.send(JSON.stringify(frame)));
    socket.on('message', (data: Buffer) => {
      const refusal = readRecord(data);
      if (refusal) refused({ reason: 'failed', message: undefined, ...refusal, sessionId: frame.session_id });
    });
    socket.on('unexpected-response', (_request, response) => {
      isStopping = response.statusCode === 503;
      if (!isStopping) log.warn({ status: response.statusCode }, away);
      response.resume();
      socket.terminate();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      isStopping ||= error.code === 'ECONNREFUSED';
      if (!isOver && !isStopping) log.warn({ err: error }, away);
    });
    socket.on('close', (code) => {
      if (isOver) return;
      if (code === closeCodes.agentOffline) moved(code, 'agent offline');
      else if (isStopping || code === closeCodes.restarting) moved(closeCodes.tryLater, away);
      else failed(closeCodes.tryLater, away);
    });
    const end = (code: number) => {
      isOver = true;
      socket.close(code);
    };
    return { settle: () => end(closeCodes.ended), cancel: () => end(closeCodes.gone) };
  }

  return {
    /** `place` was asked for before: it is here, or peers are known. */
    ask(place: Pick<LinkPlace, 'replicaId' | 'url'>, robotId: string, frame: OpenFrame, answers: Answers): Asked {
      if (place.replicaId === replicaId || place.url === undefined || !peers) return askHere(robotId, frame, answers);
      const facts = { session: frame.session_id };
      const socket = peers.dial({ replicaId: place.replicaId, url: place.url }, `/internal/asks/${robotId}`, facts);
      return askThere(socket, frame, answers);
    },

    /** Takes the question of another replica. */
    answer(socket: WebSocket, robotId: string, sessionId: string): void {
      let isAsked = false;
      const late = setTimeout(() => socket.terminate(), forgetAfterMs);
      socket.on('error', () => undefined); // its close follows
      socket.once('message', (data: Buffer) => {
        const frame = readOpen(data, sessionId);
        if (!frame) return socket.close(closeCodes.policy);
        isAsked = tellAgent(robotId, frame);
        if (isAsked) questions.set(sessionId, { socket, robotId });
        else socket.close(closeCodes.agentOffline);
      });
      socket.on('close', (code) => {
        clearTimeout(late);
        questions.delete(sessionId);
        if (isAsked && code !== closeCodes.ended) tellAgent(robotId, closeFrame(sessionId));
      });
    },

    /** Passes the word of an agent on to the replica that asked. */
    pass(robotId: string, refusal: Refusal): void {
      const question = questions.get(refusal.sessionId);
      if (question?.robotId === robotId) question.socket.send(JSON.stringify(refusal));
    },

    stop(): void {
      for (const { socket } of questions.values()) socket.close(closeCodes.restarting);
    },
  };
}

/** The frame of a replica that may run another version: passed on whole, if it asks for that session. */
function readOpen(data: Buffer, sessionId: string): object | undefined {
  const frame: Partial<OpenFrame> | undefined = readRecord(data);
  return frame?.type === 'open' && frame.session_id === sessionId ? frame : undefined;
}

function readRecord(data: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
