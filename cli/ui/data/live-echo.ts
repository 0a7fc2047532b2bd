import type { TopicGap, TopicRecord, TopicStatus } from '../../../generated/watching.js';
import { keepOpen } from '../../live/keep-open.ts';
import type { StreamEnd, ViewerSocket } from '../../live/viewer-socket.ts';
import { safeText } from '../../output/safe.ts';
import type { Echo, EchoState } from './data.ts';
import { cutLong, liveWhileWanted, noticesPerSecond, openWhenFree, type Live } from './live.ts';
import { throttle } from './throttle.ts';
import { createStore } from './store.ts';
import { troubleOf } from './trouble.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';

const maxLines = 500;
/** The rate is counted over so many seconds. */
const rateSeconds = 3;

interface EchoSettings {
  monitor: Pick<ConnectionMonitor, 'free' | 'learn'>;
  open(): Promise<ViewerSocket | StreamEnd>;
  now: () => number;
  lingerMs?: number | undefined;
}

type Frame = Partial<TopicRecord | TopicGap | TopicStatus>;

/** What is published on a topic. The rate is the topic's own, from the numbers of its messages: fewer are asked for than there may be. */
export function liveEcho({ monitor, open, now, lingerMs }: EchoSettings): Echo & Live {
  const store = createStore<EchoState>({ lines: [], perSecond: 0, trouble: undefined });
  let fresh: string[] = [];
  let trouble: EchoState['trouble'];
  let samples: { atMs: number; seq: number }[] = [];
  let lastSeq: number | undefined;
  const notices = throttle(noticesPerSecond, tell);

  function tell(): void {
    const { lines } = store.get();
    const next = fresh.length === 0 ? lines : [...lines, ...fresh].slice(-maxLines);
    fresh = [];
    store.set({ lines: next, perSecond: perSecond(), trouble });
  }

  function perSecond(): number {
    const [first, last] = [samples[0], samples.at(-1)];
    if (!first || !last || first === last) return 0;
    return Math.round(((last.seq - first.seq) / (last.atMs - first.atMs)) * 10_000) / 10;
  }

  function sample(): void {
    if (lastSeq === undefined) return;
    const before = perSecond();
    samples = [...samples, { atMs: now(), seq: lastSeq }].slice(-rateSeconds - 1);
    if (perSecond() !== before) notices.ask();
  }

  function hear(data: Buffer): void {
    const text = data.toString('utf8');
    const frame = frameOf(text);
    if (typeof frame?.type !== 'string') return;
    // The type of a message has a slash, the word of another frame has none.
    if (frame.type.includes('/')) {
      const { seq } = frame as Partial<TopicRecord>;
      if (typeof seq === 'number') lastSeq = seq;
      trouble = undefined;
      fresh.push(cutLong(text));
      fresh = fresh.slice(-maxLines);
    } else {
      const { level, message } = frame as { level?: unknown; message?: unknown };
      if (level === 'warn')
        trouble = { message: safeText(typeof message === 'string' ? message : frame.type), code: 'http_error' };
    }
    notices.ask();
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const away = (error: unknown) => {
      if (signal.aborted) return;
      [trouble, samples, lastSeq] = [troubleOf(error), [], undefined];
      notices.ask();
    };
    const sampling = setInterval(sample, 1_000);
    await keepOpen({
      signal,
      open: () => openWhenFree(monitor, signal, open),
      mayWait: () => true,
      onOpen() {
        trouble = undefined;
        notices.ask();
      },
      onMessage(data) {
        hear(data);
        return undefined;
      },
      onWaiting: ({ error }) => away(error),
    }).catch((error: unknown) => {
      monitor.learn(error);
      away(error);
    });
    clearInterval(sampling);
  }

  const live = liveWhileWanted({
    now,
    lingerMs,
    follow: (signal) => void follow(signal),
    forget() {
      fresh = [];
      store.set({ lines: [], perSecond: 0, trouble: undefined });
    },
  });

  return {
    ...live,
    get: store.get,
    subscribe: store.subscribe,
    end() {
      live.end();
      notices.stop();
    },
  };
}

/** A robot sends what it likes. */
function frameOf(text: string): Frame | undefined {
  try {
    return JSON.parse(text) as Frame;
  } catch {
    return undefined;
  }
}
