import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createAdmission, type Priority, type Slot } from '../../../src/platform/http/dispatch/admission.ts';

interface Granted {
  name: string;
  slot: Slot;
}

/**
 * An admission on a clock and with delays of the event loop of the test, and what became of the requests that entered
 * it, in the order of their grants.
 */
export function startAdmission(connections: number) {
  const clock = { ms: 0 };
  const refused: Priority[] = [];
  let noteDelay: (lateMs: number) => void = () => undefined;
  const admission = createAdmission({
    connections,
    onRefused: (priority) => void refused.push(priority),
    measureLoopDelay(onMeasured) {
      noteDelay = onMeasured;
      return { noteRequest: () => undefined };
    },
    nowMs: () => clock.ms,
  });
  const granted: Granted[] = [];

  /** Ends the first request in work of those with this name; returns the name of the one that gets its slot. */
  async function end(name?: string): Promise<string | undefined> {
    const index = granted.findIndex((each) => name === undefined || each.name === name);
    const [ended] = index < 0 ? [] : granted.splice(index, 1);
    const others = granted.length;
    ended?.slot.free();
    await turn();
    return granted[others]?.name;
  }

  /** Resolves with the response of the request, which may still wait. */
  async function enter(priority: Priority, org: string, name = `${priority} ${org}`): Promise<PassThrough> {
    const response = new PassThrough();
    void admission.enter(priority, org, response).then(
      (slot) => void granted.push({ name, slot }),
      () => undefined,
    );
    await turn();
    return response;
  }

  return {
    clock,
    refused,
    granted,
    admission,
    enter,
    end,
    /** The names of the requests in work. */
    names: () => granted.map(({ name }) => name),
    /** The event loop was measured so often, and was that late. */
    async late(ms: number, times: number): Promise<void> {
      for (let time = 0; time < times; time += 1) noteDelay(ms);
      await turn();
    },
    /** Each time a request arrives, then one of the same name ends. Returns the names of those that get the slots. */
    async keepBusy(priority: Priority, org: string, times: number): Promise<(string | undefined)[]> {
      const next: (string | undefined)[] = [];
      for (let time = 0; time < times; time += 1) {
        await enter(priority, org);
        next.push(await end(`${priority} ${org}`));
      }
      return next;
    },
  };
}
