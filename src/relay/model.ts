import type { WebSocket } from 'ws';
import type { Caller, Role } from '../kernel/caller.ts';

/** Kinds of live streams that an agent opens for one viewer. */
type StreamKind = 'shell';

/** Who wants a stream of which robot, and how. */
export interface StreamWish {
  kind: StreamKind;
  orgId: string;
  robotId: string;
  tokenId: string;
  caller: Caller;
  leastRole: Role;
  requestId: string;
  protocol: string | undefined; // the viewer's subprotocol; undefined for raw bytes
  recorded: boolean;
  parameters: Record<string, unknown>;
}

/** Why the agent does not open a stream. */
export interface Refusal {
  sessionId: string;
  reason: string;
  message: string | undefined;
}

/** A dial-back that showed the right secret. */
export interface Arrival {
  orgId: string;
  sessionId: string;
  /** Gives what takes the socket; undefined where another dial-back came first. */
  claim(): ((robot: WebSocket) => void) | undefined;
  /** It will not come after all. */
  drop(): void;
}

/** The frame that asks an agent for a stream. */
export interface OpenFrame {
  type: 'open';
  session_id: string;
  kind: StreamKind;
  path: string;
  secret: string;
  expires_at: string;
  protocol?: string;
  opened_by: string;
  recorded: boolean;
  parameters: Record<string, unknown>;
}
