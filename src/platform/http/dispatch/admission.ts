import { HttpError } from '../reply/failures.ts';
import { createLane, usualPatience, type Patience, type Waiting } from './lane.ts';
import { createLoopDelay } from './loop-delay.ts';

/** From the highest: requests of agents, changes by people, reads by people. */
const priorities = ['agents', 'changes', 'reads'] as const;
export type Priority = (typeof priorities)[number];

/** One in so many slots goes to the lowest priority first, so that reads never stop altogether. */
const turnsOfLowest = 8;
/** Largest share of the slots of people for one org: another org finds a free one. */
const orgShare = 0.75;
/** While the event loop is later than this, people get a slot less; while it is earlier than half of it, one more. */
const lateLoopMs = 30;
/** Fewest slots of people: one uses the processor while the other waits for the database. */
const fewestSlots = 2;
/** Interval of the check for requests that have waited too long, in ms. */
const lookEveryMs = 100;
/** Maximum Retry-After of a refused request, in seconds; a random one, so that callers do not return together. */
const retryWithinSeconds = 5;

/**
 * The service has more requests than it can serve. 429: clients repeat any request after it, as it was not begun.
 * Counted and summarized; not logged for each request.
 */
export class Overloaded extends HttpError {
  constructor() {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0; // a stack costs as much as the rest of the refusal: 57 us
    super(429, 'the service is overloaded, try again', {
      headers: { 'Retry-After': String(1 + Math.floor(Math.random() * retryWithinSeconds)) },
    });
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The right to use the processor and the database. */
export interface Slot {
  /** Gives it back; once is enough. */
  free(): void;
  /** Takes a slot again after `free`. Waits as long as needed: the response has begun. */
  takeAgain(): Promise<void>;
}

interface Settings {
  /** Connections of the pool: what the requests of people leave of them is for agents and background work. */
  connections: number;
  onRefused(priority: Priority): void;
  /** Default: 1 s and 3 s. */
  patience?: Patience | undefined;
  nowMs?: () => number;
}

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Bounds how many requests are in work at once. The others wait in lanes by priority, and in turns by org; see decision
 * 112. Without this, all requests of an overload would be in work, and each would take seconds.
 */
export function createAdmission({
  connections,
  onRefused,
  patience = usualPatience,
  nowMs = () => performance.now(),
}: Settings) {
  const most: Record<Priority, number> = {
    agents: connections,
    changes: Math.max(1, connections - 1),
    reads: Math.max(1, connections - 2),
  };
  const mostOfOrg = Math.max(1, Math.floor(most.reads * orgShare));
  let slotsOfPeople = most.changes;
  const lane = () => createLane(patience, nowMs);
  const lanes = { agents: lane(), changes: lane(), reads: lane() };
  const loopDelay = createLoopDelay((lateMs) => {
    if (lateMs > lateLoopMs) slotsOfPeople = Math.max(Math.min(fewestSlots, most.changes), slotsOfPeople - 1);
    else if (lateMs < lateLoopMs / 2 && slotsOfPeople < most.changes) {
      slotsOfPeople += 1;
      while (grantOne());
    }
  }, nowMs);
  const ofPeople = new Map<string, number>(); // requests of people in work, by org
  let inWork = 0;
  let turn = 0;
  let isLooking = false;

  const hasSlot = (priority: Priority): boolean =>
    inWork < (priority === 'agents' ? most.agents : Math.min(most[priority], slotsOfPeople));
  const mayStart = (priority: Priority, org: string): boolean =>
    hasSlot(priority) && (priority === 'agents' || (ofPeople.get(org) ?? 0) < mostOfOrg);

  function start(priority: Priority, org: string): void {
    inWork += 1;
    lanes[priority].noteGrant();
    if (priority !== 'agents') ofPeople.set(org, (ofPeople.get(org) ?? 0) + 1);
  }

  function end(priority: Priority, org: string): void {
    inWork -= 1;
    if (priority !== 'agents') {
      const left = (ofPeople.get(org) ?? 1) - 1;
      if (left === 0) ofPeople.delete(org);
      else ofPeople.set(org, left);
    }
    while (grantOne());
  }

  function grantOne(): boolean {
    if (priorities.every((each) => lanes[each].isEmpty)) return false;
    const order = turn % turnsOfLowest === 0 ? priorities.toReversed() : priorities;
    for (const priority of order) {
      const found = lanes[priority].next((org) => mayStart(priority, org));
      if (!found) continue;
      turn += 1;
      start(priority, found.org);
      found.waiting.settle(true);
      return true;
    }
    return false;
  }

  function refuse(priority: Priority): never {
    onRefused(priority);
    throw new Overloaded();
  }

  /** Only while requests wait: a timer for each would cost more than the rest of this file. */
  function lookForLate(): void {
    if (isLooking) return;
    isLooking = true;
    setTimeout(() => {
      isLooking = false;
      const left = priorities.filter((each) => !lanes[each].isEmpty);
      for (const each of left) lanes[each].refuseLate();
      if (left.length > 0) lookForLate();
    }, lookEveryMs).unref();
  }

  /** Resolves with whether the slot was granted. */
  function wait(priority: Priority, org: string, sinceMs: number): Promise<boolean> {
    lookForLate();
    return new Promise((settle) => lanes[priority].add(org, { sinceMs, settle } satisfies Waiting));
  }

  function slotOf(priority: Priority, org: string): Slot {
    let isHeld = true;
    return {
      free() {
        if (!isHeld) return;
        isHeld = false;
        end(priority, org);
      },
      async takeAgain() {
        if (isHeld) return;
        if (!lanes[priority].hasWaiting(org) && mayStart(priority, org)) start(priority, org);
        else await wait(priority, org, Infinity);
        isHeld = true;
      },
    };
  }

  return {
    /**
     * Refuses a request that has no chance, before anything is done for it. `org` undefined: before the token is looked
     * up.
     * @throws Overloaded
     */
    check(priority: Priority, org?: string): void {
      loopDelay.noteRequest();
      if (org === undefined ? hasSlot(priority) : mayStart(priority, org)) return;
      if (lanes[priority].refuses(org)) refuse(priority);
    },

    /**
     * Waits for a slot.
     * @throws Overloaded
     */
    async enter(priority: Priority, org: string): Promise<Slot> {
      if (!lanes[priority].hasWaiting(org) && mayStart(priority, org)) start(priority, org);
      else if (lanes[priority].refuses(org) || !(await wait(priority, org, nowMs()))) refuse(priority);
      return slotOf(priority, org);
    },
  };
}
