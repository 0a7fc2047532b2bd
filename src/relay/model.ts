import type { Caller, Role } from '../kernel/caller.ts';

/** Kinds of live streams that an agent opens for one viewer. */
export type StreamKind = 'shell';

/** Who wants a stream of which robot, and how. */
export interface StreamWish {
  kind: StreamKind;
  orgId: string;
  robotId: string;
  tokenId: string;
  caller: Caller;
  leastRole: Role;
  requestId: string | undefined;
  protocol: string | undefined; // the viewer's subprotocol; undefined for raw bytes
  parameters: Record<string, unknown>;
}

/** Why the agent does not open a stream. */
export interface Refusal {
  sessionId: string;
  reason: string;
  message: string | undefined;
}
