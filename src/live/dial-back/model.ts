import type { WebSocket } from 'ws';
import type { Caller, Role } from '../../kernel/caller.ts';

/** Kinds of live streams that an agent opens; `topics` is the list of topics. */
type StreamKind = 'shell' | 'camera' | 'topic' | 'topics';

/** A request to a robot's agent for a stream. */
export interface DialBackRequest {
  sessionId: string;
  orgId: string;
  robotId: string;
  kind: StreamKind;
  parameters: Record<string, unknown>;
  /** For a shell only. */
  protocol?: string | undefined; // absent for raw bytes
  openedBy?: string;
  recorded?: boolean;
}

/** The outcome of a request: one of the two, once. */
export interface DialBackOutcome {
  /** The agent dialled back. */
  joined(robot: WebSocket): void;
  /** The agent will not dial back. May be called before `begin` returns. */
  failed(code: number, reason: string | Buffer): void;
}

/** A shell that a viewer requests. */
export interface ShellRequest {
  kind: 'shell';
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

/** A dial-back with the right secret. */
export interface AuthenticatedDialBack {
  orgId: string;
  sessionId: string;
  kind: StreamKind;
  /** Returns the function that takes the socket; undefined if another dial-back came first. */
  claim(): ((robot: WebSocket) => void) | undefined;
  /** Its connection closed before it was joined. */
  drop(): void;
}

/** Whether frames of this kind may be as large as pictures. */
export const hasLargeFrames = (kind: string): boolean => kind === 'camera' || kind === 'topics';

/** The frame that asks an agent for a stream. */
export interface OpenFrame {
  type: 'open';
  session_id: string;
  kind: StreamKind;
  path: string;
  secret: string;
  expires_at: string;
  protocol?: string;
  opened_by?: string;
  recorded?: boolean;
  parameters: Record<string, unknown>;
}
