import type { WebSocket } from 'ws';
import { agentFrames, type AgentFrame, type Hello, type Logs, type ServerFrame } from '../../generated/frames.js';
import { closeCodes, limits, protocol } from '../../generated/protocol.js';
import { shown } from './rule.ts';

export interface Closed {
  at: number;
  code: number;
  reason: string;
}

/** One link as the test service sees it. Times are of `performance.now()`, in ms. */
export interface ServedLink {
  socket: WebSocket;
  openedAt: number;
  frames: { at: number; frame: AgentFrame }[];
  hello: Hello | undefined;
  closed: Closed | undefined;
  /** Sends a frame; a string is sent unchanged. */
  send(frame: ServerFrame | Record<string, unknown> | string): void;
  framesOf<T extends AgentFrame['type']>(type: T): Extract<AgentFrame, { type: T }>[];
}

/** How the test service handles the frames of a link. */
export interface LinkBehavior {
  robotName: string;
  heartbeatSeconds: number;
  /** How far the clock in `welcome` is ahead. */
  clockAheadMs: number;
  acknowledgesLogs: boolean;
  /** Ends a link on which a frame broke the protocol, as the service does; otherwise the violation is only recorded. */
  endsBroken: boolean;
  /** Returns the highest stored number of the spool, before these records and with them. */
  stored(spool: string, seq: number): { before: number; highest: number };
  /** Counts what was received; false if it is too much to keep: the connection must be cut. */
  admits(bytes: number): boolean;
  /** Records a violation of the protocol. */
  breach(what: string): void;
  /** A hello was welcomed. */
  welcomed(link: ServedLink): void;
  /** Any other known and valid frame. */
  heard(frame: AgentFrame, link: ServedLink): void;
}

/** States: no hello yet → welcomed → closed. The service's validators check the frames. */
export function serveLink(socket: WebSocket, manner: LinkBehavior): ServedLink {
  const link: ServedLink = {
    socket,
    openedAt: performance.now(),
    frames: [],
    hello: undefined,
    closed: undefined,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    framesOf: <T extends AgentFrame['type']>(type: T) =>
      link.frames.flatMap(({ frame }) => (frame.type === type ? [frame as Extract<AgentFrame, { type: T }>] : [])),
  };
  const late = setTimeout(() => end(closeCodes.helloTimeout, 'no hello came'), limits.helloWithinMs);
  const end = (code: number, reason: string) => {
    if (code !== closeCodes.protocolUnsupported) manner.breach(reason);
    if (manner.endsBroken || code === closeCodes.protocolUnsupported) socket.close(code, reason.slice(0, 100));
  };
  socket.on('error', () => undefined);
  socket.on('close', (code, reason) => {
    clearTimeout(late);
    link.closed = { at: performance.now(), code, reason: reason.toString() };
  });
  socket.on('message', (data: Buffer, isBinary) => {
    // After a normal close, frames sent earlier would still arrive.
    if (!manner.admits(data.length)) return socket.terminate();
    if (data.length > limits.maxFrameBytes) return end(closeCodes.tooBig, `a frame has ${data.length} bytes`);
    const frame = isBinary ? undefined : parsed(data.toString('utf8'));
    if (frame === undefined) return end(closeCodes.policy, `no JSON text with a type: ${shown(data.toString('utf8'))}`);
    if (!link.hello && frame.type !== 'hello') return end(closeCodes.policy, 'first frame must be hello');
    if (!isKnown(frame)) return;
    const validate = agentFrames[frame.type];
    // A boolean, so that it does not narrow the type: an invalid frame is reported.
    const isWhole: boolean = validate(frame);
    if (!isWhole) {
      const [fault] = validate.errors ?? [];
      return end(
        closeCodes.policy,
        `${frame.type}${fault?.instancePath ?? ''} ${fault?.message ?? ''}: ${shown(frame)}`,
      );
    }
    link.frames.push({ at: performance.now(), frame });
    if (frame.type === 'hello') return welcome(frame);
    if (frame.type === 'logs' && !inOrder(frame)) return end(closeCodes.policy, `numbers of records: ${shown(frame)}`);
    if (frame.type === 'logs' && manner.acknowledgesLogs) acknowledge(frame);
    manner.heard(frame, link);
  });

  function acknowledge({ spool, to_seq: to, records }: Logs): void {
    const { before, highest } = manner.stored(spool, to);
    const skipped = records.map(({ seq }) => seq).filter((seq) => seq <= before);
    const [from_seq, to_seq] = [Math.min(...skipped), Math.max(...skipped)];
    if (skipped.length > 0) link.send({ type: 'logs_skipped', spool, from_seq, to_seq, reason: 'number_passed' });
    link.send({ type: 'logs_ack', spool, seq: highest });
  }

  function welcome(hello: Hello): void {
    clearTimeout(late);
    if (hello.protocol !== protocol) return end(closeCodes.protocolUnsupported, 'protocol 1 is spoken here');
    link.hello = hello;
    link.send({
      type: 'welcome',
      protocol,
      server_time: new Date(Date.now() + manner.clockAheadMs).toISOString(),
      heartbeat_seconds: manner.heartbeatSeconds,
      robot_id: 'conformance-robot',
      robot_name: manner.robotName,
    });
    manner.welcomed(link);
  }
  return link;
}

/** Undefined if the text is not JSON with a type. */
export function parsed(text: string): { type: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
      ? { ...value, type: value.type }
      : undefined;
  } catch {
    return undefined;
  }
}

const isKnown = (frame: { type: string }): frame is AgentFrame => Object.hasOwn(agentFrames, frame.type);

/** Each number occurs once, between the stated edges. */
function inOrder({ from_seq: from, to_seq: to, records }: Logs): boolean {
  const numbers = records.map(({ seq }) => seq);
  return new Set(numbers).size === numbers.length && Math.min(...numbers) === from && Math.max(...numbers) === to;
}
