import type { LogRecord } from '../../api/api.ts';
import { followLogs, type LogGap, type LogStart } from '../../client/streams/logs.ts';
import type { StreamConnector } from '../../client/streams/stream-connector.ts';
import { withCliErrors, cliErrorOf } from '../../live/stream-errors.ts';
import type { Tail, TailLine, TailState } from './data.ts';
import type { Failure } from './freshness.ts';
import { mergeByTime } from './merge-by-time.ts';
import { askWhenFree, cutLong, liveWhileWanted, noticesPerSecond, whenFree, type Live } from './live.ts';
import { throttle } from './throttle.ts';
import { createStore } from './store.ts';
import { failureOf } from './failure.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';

const maxLines = 5_000;
/** Stored lines at the start of a tail: of one robot, and of all together. */
const storedOfOne = 200;
const storedOfAll = 1_000;
const leastStored = 10;

interface TailSettings {
  robotIds: readonly string[];
  monitor: Pick<ConnectionMonitor, 'free' | 'learn'>;
  /** Latest records, oldest first; also of an offline robot. */
  stored(robotId: string, limit: number): Promise<readonly LogRecord[]>;
  connector: StreamConnector;
  now: () => number;
  lingerMs?: number | undefined;
}

/** State of the streams since the tail was last wanted. */
interface Following {
  opened: Set<string>;
  failures: Map<string, Failure>;
}

/**
 * Live logs of some robots in one list. A reconnected stream resumes after the last line received: nothing is shown
 * twice.
 */
export function liveTail(settings: TailSettings): Tail & Live {
  const { robotIds, monitor, stored, connector, now, lingerMs } = settings;
  const store = createStore<TailState>({ lines: [], total: 0, openCount: 0, failures: new Map() });
  const positions = new Map<string, number>();
  const share = Math.max(leastStored, Math.min(storedOfOne, Math.floor(storedOfAll / robotIds.length)));
  const order = robotIds.length > 1 ? mergeByTime(maxLines) : undefined;
  let fresh: TailLine[] = [];
  let arrived = 0;
  /** At the last notification, some robots had neither stored records nor an open stream. */
  let isBeginning = true;
  let current: Following = { opened: new Set(), failures: new Map() };
  const notices = throttle(noticesPerSecond, tell);

  function tell(): void {
    const { lines, total } = store.get();
    store.set({
      lines: fresh.length === 0 ? lines : joined(lines),
      total: total + arrived,
      openCount: current.opened.size,
      failures: new Map(current.failures),
    });
    [fresh, arrived] = [[], 0];
    isBeginning = current.opened.size + current.failures.size < robotIds.length;
  }

  /** Of several robots, stored records arrive one robot after the other, and live ones in order of arrival. */
  function joined(lines: readonly TailLine[]): readonly TailLine[] {
    if (!order) return [...lines, ...fresh].slice(-maxLines);
    return order.joined(lines, fresh, isBeginning);
  }

  function push(line: TailLine): void {
    fresh.push(line);
    arrived += 1;
    if (fresh.length > 2 * maxLines) fresh = fresh.slice(-maxLines);
    notices.ask();
  }

  const note = (robotId: string, text: string) =>
    push({ kind: 'note', robotId, at: new Date().toISOString(), text, isGap: false });

  function take(robotId: string, record: LogRecord): void {
    positions.set(robotId, record.seq);
    push({ kind: 'record', robotId, record: { ...record, message: cutLong(record.message) } });
  }

  function skip(robotId: string, { from_seq: firstSeq, to_seq: lastSeq }: LogGap): void {
    positions.set(robotId, lastSeq);
    const text = `${lastSeq - firstSeq + 1} records skipped`;
    push({ kind: 'note', robotId, at: new Date().toISOString(), text, isGap: true });
  }

  async function begun(robotId: string, signal: AbortSignal): Promise<LogStart> {
    if (!positions.has(robotId)) {
      const records = await stored(robotId, share);
      // A follower that started since requests them too, perhaps as another user.
      if (!signal.aborted) for (const record of records) take(robotId, record);
    }
    const after = positions.get(robotId);
    return after === undefined ? { tail: share } : { after };
  }

  async function follow(robotId: string, signal: AbortSignal, { opened, failures }: Following): Promise<void> {
    try {
      const following = followLogs(whenFree(connector, monitor, signal), robotId, {
        filter: {},
        start: () => askWhenFree(monitor, signal, () => begun(robotId, signal)),
        mayWait: () => true,
        signal,
        onOpen() {
          opened.add(robotId);
          if (failures.delete(robotId)) note(robotId, 'reconnected');
          notices.ask();
        },
        onRecord(record) {
          if ('to_seq' in record) skip(robotId, record);
          else take(robotId, record);
          return undefined;
        },
        onWaiting: (error) => away(cliErrorOf(error)),
      });
      await withCliErrors(following);
    } catch (error) {
      // A retry cannot help; a sign-in as another user may.
      monitor.learn(error);
      away(error);
    } finally {
      opened.delete(robotId);
    }

    function away(error: unknown): void {
      opened.delete(robotId);
      const failure = failureOf(error);
      if (failures.get(robotId)?.message !== failure.message) note(robotId, failure.message);
      failures.set(robotId, failure);
      notices.ask();
    }
  }

  const live = liveWhileWanted({
    now,
    lingerMs,
    follow(signal) {
      const mine: Following = { opened: new Set(), failures: new Map() };
      current = mine;
      for (const id of robotIds) void follow(id, signal, mine);
      signal.addEventListener('abort', () => {
        if (current === mine) current = { opened: new Set(), failures: new Map() };
        notices.ask();
      });
    },
    forget() {
      positions.clear();
      clear();
    },
  });

  function clear(): void {
    fresh = [];
    order?.clear();
    store.set({ ...store.get(), lines: [] });
  }

  return {
    ...live,
    get: store.get,
    subscribe: store.subscribe,
    clear,
    end() {
      live.end();
      notices.stop();
    },
  };
}
