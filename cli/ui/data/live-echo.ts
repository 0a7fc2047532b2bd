import type { StreamConnector } from '../../client/streams/stream-connector.ts';
import { followTopic, isMessage, type TopicFrame } from '../../client/streams/topic.ts';
import { withCliErrors, cliErrorOf } from '../../live/stream-errors.ts';
import { safeText } from '../../output/safe.ts';
import type { Echo, EchoState } from './data.ts';
import { cutLong, liveWhileWanted, noticesPerSecond, whenFree, type Live } from './live.ts';
import { throttle } from './throttle.ts';
import { createStore } from './store.ts';
import { failureOf } from './failure.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';

/** Records per second; nobody can read more. */
const echoHz = 10;
const maxLines = 500;
/** Window of the rate, in seconds. */
const rateSeconds = 3;

interface EchoSettings {
  monitor: Pick<ConnectionMonitor, 'free' | 'learn'>;
  connector: StreamConnector;
  robotId: string;
  topic: string;
  now: () => number;
  lingerMs?: number | undefined;
}

/**
 * Messages published on a topic. The rate is the topic's own, from message numbers: fewer are requested than published.
 */
export function liveEcho({ monitor, connector, robotId, topic, now, lingerMs }: EchoSettings): Echo & Live {
  const store = createStore<EchoState>({ lines: [], perSecond: 0, failure: undefined });
  let fresh: string[] = [];
  let failure: EchoState['failure'];
  let samples: { atMs: number; seq: number }[] = [];
  let lastSeq: number | undefined;
  const notices = throttle(noticesPerSecond, tell);

  function tell(): void {
    const { lines } = store.get();
    const next = fresh.length === 0 ? lines : [...lines, ...fresh].slice(-maxLines);
    fresh = [];
    store.set({ lines: next, perSecond: perSecond(), failure });
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

  function hear(frame: TopicFrame, text: string): void {
    if (isMessage(frame)) {
      const { seq } = frame;
      if (typeof seq === 'number') lastSeq = seq;
      failure = undefined;
      fresh.push(cutLong(text));
      fresh = fresh.slice(-maxLines);
    } else {
      const { level, message } = frame;
      if (level === 'warn')
        failure = { message: safeText(typeof message === 'string' ? message : frame.type), code: 'http_error' };
    }
    notices.ask();
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const away = (error: unknown) => {
      if (signal.aborted) return;
      [failure, samples, lastSeq] = [failureOf(error), [], undefined];
      notices.ask();
    };
    const sampling = setInterval(sample, 1_000);
    const following = followTopic(whenFree(connector, monitor, signal), robotId, topic, {
      query: { hz: echoHz },
      signal,
      mayWait: () => true,
      onOpen() {
        failure = undefined;
        notices.ask();
      },
      onFrame(frame, text) {
        hear(frame, text);
        return undefined;
      },
      onWaiting: (error) => away(cliErrorOf(error)),
    });
    await withCliErrors(following).catch((error: unknown) => {
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
      store.set({ lines: [], perSecond: 0, failure: undefined });
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
