import type { Writable } from 'node:stream';
import { HttpError } from '../reply/failures.ts';
import { ClientDisconnected } from '../reply/reply.ts';
import { createLane, usualPatience, type Patience, type Waiting } from './lane.ts';
import { createLoopDelay, type MeasureLoopDelay } from './loop-delay.ts';

/** From the highest: requests of agents, changes by people, reads by people. */
const priorities = ['agents', 'changes', 'reads'] as const;
export type Priority = (typeof priorities)[number];

/** Of so many slots that become free, two are reserved, so that neither changes nor reads stop altogether. */
const turns = 8;
const reservedTurns = new Map<number, Priority>([
  [3, 'changes'],
  [7, 'reads'],
]);
/** Largest share of the slots of people for one org: another org finds a free one. */
const orgShare = 0.75;
/** While the event loop is later than this, people get one slot fewer; while it is earlier than half of it, one more. */
const lateLoopMs = 30;
/** The same while several orgs send requests: one org must not make the others wait for its own. */
const lateSharedLoopMs = 8;
/** So long after a request of another org than the one before. */
const sharedForMs = 1_000;
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
  /**
   * Takes a slot again after `free`. Waits as long as needed: the response has begun.
   * @throws ClientDisconnected
   */
  takeAgain(): Promise<void>;
}

interface Settings {
  /** Connections of the pool: what the requests of people leave of them is for agents and background work. */
  connections: number;
  onRefused(priority: Priority): void;
  /** Default: 1 s and 3 s. */
  patience?: Patience | undefined;
  /** Default: a timer. */
  measureLoopDelay?: MeasureLoopDelay;
  nowMs?: () => number;
}

/** The response of a request: when it is closed, the request does not wait any longer. */
type Response = Pick<Writable, 'destroyed' | 'once' | 'off'>;

export type Admission = ReturnType<typeof createAdmission>;

/**
 * Bounds how many requests are in work at once. The others wait in lanes by priority, and in turns by org; see decision
 * 112. Without this, all requests of an overload would be in work, and each would take seconds.
 */
export function createAdmission({
  connections,
  onRefused,
  patience = usualPatience,
  measureLoopDelay = createLoopDelay,
  nowMs = () => performance.now(),
}: Settings) {
  const most: Record<Priority, number> = {
    agents: connections,
    changes: Math.max(1, connections - 1),
    reads: Math.max(1, connections - 2),
  };
  let slotsOfPeople = most.changes;
  const lane = () => createLane(patience, nowMs);
  const lanes = { agents: lane(), changes: lane(), reads: lane() };
  const loopDelay = measureLoopDelay((lateMs) => {
    const isShared = nowMs() - sharedAtMs < sharedForMs;
    const tooLateMs = isShared ? lateSharedLoopMs : lateLoopMs;
    if (lateMs > tooLateMs) slotsOfPeople = Math.max(Math.min(fewestSlots, most.changes), slotsOfPeople - 1);
    else if (lateMs < tooLateMs / 2 && slotsOfPeople < most.changes) {
      slotsOfPeople += 1;
      while (grantOne());
    }
  }, nowMs);
  const ofOrgs = new Map<string, number>(); // requests of people in work, by org
  let ofPeople = 0; // their sum
  let inWork = 0; // with those of agents
  let turn = 0;
  let isLooking = false;
  let lastOrg: string | undefined; // of people
  let sharedAtMs = -Infinity;

  const mostOfOrg = () => Math.max(1, Math.floor(Math.min(most.reads, slotsOfPeople) * orgShare));
  const mayHaveMore = (org: string): boolean => ofPeople < slotsOfPeople && (ofOrgs.get(org) ?? 0) < mostOfOrg();
  const hasSlot = (priority: Priority): boolean =>
    inWork < most[priority] && (priority === 'agents' || ofPeople < slotsOfPeople);
  const mayStart = (priority: Priority, org: string): boolean =>
    inWork < most[priority] && (priority === 'agents' || mayHaveMore(org));

  function noteOrg(org: string): void {
    if (lastOrg !== undefined && lastOrg !== org) sharedAtMs = nowMs();
    lastOrg = org;
  }

  function start(priority: Priority, org: string): void {
    inWork += 1;
    lanes[priority].noteGrant();
    if (priority === 'agents') return;
    ofPeople += 1;
    ofOrgs.set(org, (ofOrgs.get(org) ?? 0) + 1);
  }

  function end(priority: Priority, org: string): void {
    inWork -= 1;
    if (priority !== 'agents') {
      ofPeople -= 1;
      const left = (ofOrgs.get(org) ?? 1) - 1;
      if (left === 0) ofOrgs.delete(org);
      else ofOrgs.set(org, left);
    }
    passOn();
    while (grantOne());
  }

  /**
   * On a reserved turn, the slot that became free goes to its lane even if `most` is reached: higher lanes may keep all
   * that is below it in use. A turn whose orgs have all their slots is kept.
   */
  function passOn(): void {
    const priority = reservedTurns.get(turn);
    if (priority && !lanes[priority].isEmpty && !grant(priority, mayHaveMore)) return;
    turn = (turn + 1) % turns;
  }

  const grantOne = (): boolean => priorities.some((each) => grant(each, (org) => mayStart(each, org)));

  function grant(priority: Priority, mayHave: (org: string) => boolean): boolean {
    const found = lanes[priority].next(mayHave);
    if (!found) return false;
    start(priority, found.org);
    found.waiting.settle(true);
    return true;
  }

  function refusal(priority: Priority): Overloaded {
    onRefused(priority);
    return new Overloaded();
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

  /** @throws Overloaded, ClientDisconnected */
  function wait(priority: Priority, org: string, response: Response, sinceMs: number): Promise<void> {
    lookForLate();
    return new Promise((resolve, reject) => {
      const leave = () => {
        lanes[priority].remove(org, waiting);
        reject(new ClientDisconnected());
      };
      const waiting: Waiting = {
        sinceMs,
        settle(isGranted) {
          response.off('close', leave);
          if (isGranted) resolve();
          else reject(refusal(priority));
        },
      };
      response.once('close', leave);
      lanes[priority].add(org, waiting);
    });
  }

  async function take(priority: Priority, org: string, response: Response, sinceMs: number): Promise<void> {
    if (response.destroyed) throw new ClientDisconnected();
    if (!lanes[priority].hasWaiting(org) && mayStart(priority, org)) return start(priority, org);
    if (sinceMs !== Infinity && lanes[priority].refuses(org)) throw refusal(priority);
    await wait(priority, org, response, sinceMs);
  }

  function slotOf(priority: Priority, org: string, response: Response): Slot {
    let isHeld = true;
    return {
      free() {
        if (!isHeld) return;
        isHeld = false;
        end(priority, org);
      },
      async takeAgain() {
        if (isHeld) return;
        await take(priority, org, response, Infinity);
        isHeld = true;
      },
    };
  }

  return {
    /**
     * Refuses a request that would wait too long, before anything is done for it. `org` undefined: before the token is
     * looked up.
     * @throws Overloaded
     */
    refuseIfFull(priority: Priority, org?: string): void {
      loopDelay.noteRequest();
      if (org === undefined ? hasSlot(priority) : mayStart(priority, org)) return;
      if (lanes[priority].refuses(org)) throw refusal(priority);
    },

    /**
     * Waits for a slot.
     * @throws Overloaded, ClientDisconnected
     */
    async enter(priority: Priority, org: string, response: Response): Promise<Slot> {
      if (priority !== 'agents') noteOrg(org);
      await take(priority, org, response, nowMs());
      return slotOf(priority, org, response);
    },
  };
}
