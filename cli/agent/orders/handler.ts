import type { Order, OrderState } from '../../../generated/frames.js';

/**
 * What every order goes through, in this order; each step is written down before it begins. Up to the end of `install` nothing takes
 * effect and the order can be cancelled. What fails from `activate` on is taken back by `rollback`, where there is one.
 */
export const forwardSteps = ['download', 'install', 'activate', 'verify', 'commit'] as const;
export type Step = (typeof forwardSteps)[number] | 'rollback';

/** How one order is carried out. A step may begin again after a crash in the middle of it, and must come to the same. */
export interface Handler {
  /** Gets what is needed and checks it. */
  download?(): Promise<void>;
  install?(): Promise<void>;
  /** The moment in which it takes effect. */
  activate(): Promise<void>;
  /** Gives the proof of what is in effect, in hex, as read back. */
  verify(): Promise<string>;
  /** Forgets what only going back would need. */
  commit?(): Promise<void>;
  /** Default: what took effect stays, and the order has failed. */
  rollback?(failure: Failure): Promise<void>;
  /** Called before a step that a crash cut begins again; throws StepFailed if it may not. */
  resume?(step: Step): Promise<void>;
}

/** What a handler knows of its order. */
export interface Task {
  order: Order;
  /** Its JSON text; its digest was checked. */
  payload: string;
  /** Of this order alone; goes with all in it when the order ends. */
  directory: string;
  /** What the handler wants to know after a crash; `save` writes it down. */
  notes: Record<string, unknown>;
  save(): Promise<void>;
  /** The agent ends: what waits gives up with Stopped. */
  stopping: AbortSignal;
  /** A line for the logs of the robot. */
  say(source: string, line: string): void;
}

export interface Failure {
  reason: string;
  message: string;
}

/** The order without what only beginning it needs, which may be long. */
export function withoutPayload(order: Order): Order {
  const rest = { ...order };
  delete rest.payload;
  return rest;
}

/** What became of an order. */
export type Outcome = Pick<OrderState, 'status' | 'digest' | 'reason' | 'message'>;

/** A step that did not succeed; the reason is one of those that the protocol names, or another short word. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The agent ends in the middle of a step, which begins again with the next start. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
