import type { Order, OrderState } from '../../../generated/frames.js';

/**
 * The steps of every order, in sequence; each one is journaled before it begins. Until the end of `install` nothing
 * takes effect and the order can be cancelled. `restart` runs only if the handler needs it. A failure from `activate`
 * on is undone by `rollback`, if there is one, and by another restart if that needs one.
 */
export const forwardSteps = ['download', 'install', 'activate', 'restart', 'verify', 'commit'] as const;
export type Step = (typeof forwardSteps)[number] | 'rollback' | 'rollback_restart';

/** Carries out one order. A step may run again after a crash in the middle of it, and must lead to the same result. */
export interface Handler {
  /** Downloads what is needed and verifies it. */
  download?(): Promise<void>;
  install?(): Promise<void>;
  /** Makes the order take effect. */
  activate(): Promise<void>;
  /**
   * Called after `activate` and after `rollback`: whether the change needs a restart of the agent to take effect.
   * Default: no.
   */
  needsRestart?(): boolean;
  /** Restarts the agent, by a reboot or as another program. Throws Stopped once the agent exits. */
  restart?(): Promise<void>;
  /**
   * Called after a restart: whether the agent is in the intended state. If not, `restart` runs again. Throws StepFailed
   * to give up.
   */
  hasRestarted?(): Promise<boolean>;
  /** Returns the proof of what is in effect, in hex, as read back. */
  verify(): Promise<string>;
  /** Discards what only a rollback would need. */
  commit?(): Promise<void>;
  /** Default: the change stays in effect, and the order fails. */
  rollback?(failure: Failure): Promise<void>;
  /** Called before a step interrupted by a crash runs again. Throws StepFailed if it must not run again. */
  resume?(step: Step): Promise<void>;
  /** Called after the order ends, with any outcome, before that is reported. Errors are ignored. */
  cleanup?(): Promise<void>;
}

/** What a handler knows about its order. */
export interface OrderContext {
  order: Order;
  /** JSON text of the payload; its digest is verified. */
  payload: string;
  /** Folder of this order only; deleted when the order ends. */
  directory: string;
  /** What the handler needs after a crash; `save` writes it to the journal. */
  notes: Record<string, unknown>;
  save(): Promise<void>;
  /** Aborts when the agent exits: waits end with Stopped. */
  stopping: AbortSignal;
  /** Aborts when the order is cancelled or the agent exits: `download` and `install` end with its reason. */
  interrupted: AbortSignal;
  /** Progress of the step for people, 0 to 100. Reports that come too often are dropped. */
  progress(percent: number, text?: string): void;
  /** A line for the logs of the robot. */
  say(source: string, line: string): void;
}

export interface Failure {
  reason: string;
  message: string;
}

/** The order without its payload, which may be long and is needed only to begin. */
export function withoutPayload(order: Order): Order {
  const rest = { ...order };
  delete rest.payload;
  return rest;
}

/** How an order ended. */
export type Outcome = Pick<OrderState, 'status' | 'digest' | 'reason' | 'message'>;

/** A step failed. The reason is one that the protocol defines, or another short word. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The agent exits in the middle of a step, which runs again on the next start. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
