import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import type { Peers } from '../../platform/cluster/peers.ts';
import type { LinkPlace } from '../../agent-links/service.ts';
import type { OpenFrame, Refusal } from './model.ts';

interface AgentRequestSettings {
  replicaId: string; // of this process
  peers: Peers | undefined;
  log: Logger;
  /** Sends a frame to a robot's agent. False if this process does not hold its link. */
  tellAgent(robotId: string, frame: object): boolean;
  /** How long a request of another replica may stay open. */
  forgetAfterMs: number;
}

/** Outcomes of a request, other than that the agent dials back. */
interface Answers {
  refused(refusal: Refusal): void;
  /** The agent could not be asked. */
  failed(code: number, reason: string): void;
  /** The link is missing, or its replica is stopping: the agent may be reconnecting to another replica. */
  moved(code: number, reason: string): void;
}

/** A request to an agent. */
export interface AgentRequest {
  /** The agent dialled back, or is no longer awaited: its messages are ignored from now on. */
  settle(): void;
  /** The stream is no longer needed. */
  cancel(): void;
}

interface Question {
  socket: WebSocket;
  robotId: string;
}

const away = 'the replica that holds the link of the robot does not respond';

/**
 * Requests streams from agents. An agent linked here gets the request over its link. Any other gets it through the
 * replica that holds its link, over a WebSocket that lives as long as the request. It carries `open` there and the
 * agent's refusal back. Its close code says whether the stream is still wanted (1000: settled).
 */
export function agentRequests({ replicaId, peers, log, tellAgent, forgetAfterMs }: AgentRequestSettings) {
  const questions = new Map<string, Question>(); // requests of other replicas, by session

  const closeFrame = (sessionId: string) => ({ type: 'close', session_id: sessionId });

  function askHere(robotId: string, frame: OpenFrame, { moved }: Answers): AgentRequest {
    if (!tellAgent(robotId, frame)) moved(closeCodes.agentOffline, 'agent offline');
    return { settle: () => undefined, cancel: () => void tellAgent(robotId, closeFrame(frame.session_id)) };
  }

  function askThere(socket: WebSocket, frame: OpenFrame, { refused, failed, moved }: Answers): AgentRequest {
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
    /** `place` was looked up before: it is this replica, or peers are known. */
    ask(
      place: Pick<LinkPlace, 'replicaId' | 'url'>,
      robotId: string,
      frame: OpenFrame,
      answers: Answers,
    ): AgentRequest {
      if (place.replicaId === replicaId || place.url === undefined || !peers) return askHere(robotId, frame, answers);
      const facts = { session: frame.session_id };
      const socket = peers.dial({ replicaId: place.replicaId, url: place.url }, `/internal/asks/${robotId}`, facts);
      return askThere(socket, frame, answers);
    },

    /** Handles the request of another replica. */
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

    /** Forwards an agent's refusal to the replica that asked. */
    pass(robotId: string, refusal: Refusal): void {
      const question = questions.get(refusal.sessionId);
      if (question?.robotId === robotId) question.socket.send(JSON.stringify(refusal));
    },

    stop(): void {
      for (const { socket } of questions.values()) socket.close(closeCodes.restarting);
    },
  };
}

/** A frame of a replica that may run another version. It is forwarded unchanged if it asks for this session. */
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
