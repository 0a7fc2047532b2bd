import type { Order, OrderState } from '../../../generated/frames.js';

/**
 * What every order goes through, in this order; each step is written down before it begins. Up to the end of `install` nothing takes
 * effect and the order can be cancelled. `restart` is for those only that ask for it. What fails from `activate` on is taken back by
 * `rollback`, where there is one, and by a restart behind that where it asks for one.
 */
export const forwardSteps = ['download', 'install', 'activate', 'restart', 'verify', 'commit'] as const;
export type Step = (typeof forwardSteps)[number] | 'rollback' | 'rollback_restart';

/** How one order is carried out. A step may begin again after a crash in the middle of it, and must come to the same. */
export interface Handler {
  /** Gets what is needed and checks it. */
  download?(): Promise<void>;
  install?(): Promise<void>;
  /** The moment in which it takes effect. */
  activate(): Promise<void>;
  /** Asked after `activate` and after `rollback`: whether that takes effect only once the agent has ended and begun again. Default: no. */
  needsRestart?(): boolean;
  /** Makes the agent end and begin again, by a new boot or as another program; throws Stopped once it ends. */
  restart?(): Promise<void>;
  /** Asked when the agent has begun again: whether it is as it was to be. If not, `restart` comes once more. Throws StepFailed to give it up. */
  hasRestarted?(): Promise<boolean>;
  /** Gives the proof of what is in effect, in hex, as read back. */
  verify(): Promise<string>;
  /** Forgets what only going back would need. */
  commit?(): Promise<void>;
  /** Default: what took effect stays, and the order has failed. */
  rollback?(failure: Failure): Promise<void>;
  /** Called before a step that a crash cut begins again; throws StepFailed if it may not. */
  resume?(step: Step): Promise<void>;
  /** Called when the order is over, however it ended, before that is told. What it throws changes nothing. */
  cleanup?(): Promise<void>;
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
  /** The order is cancelled or the agent ends: what is in `download` or `install` gives up with what the signal throws. */
  interrupted: AbortSignal;
  /** How far the step is, for people; 0 to 100. What comes too often is left out. */
  progress(percent: number, text?: string): void;
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
