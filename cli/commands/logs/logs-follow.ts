import type { Api, LogRecord } from '../../api/api.ts';
import { usage } from '../../command-line/errors.ts';
import { followLogs as followRobot, type LogStart } from '../../client/streams/logs.ts';
import { concurrencyLimiter, gatedConnector } from '../../live/concurrency-limiter.ts';
import { streamConnector } from '../../live/stream-connector.ts';
import { explained } from '../../live/stream-refusals.ts';
import { withCliErrors, wordsOf } from '../../live/stream-errors.ts';
import { safeCell, safeText } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import { formatOf, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { logLines, type LiveRecord } from './logs-lines.ts';

/** A robot whose logs are followed. */
export interface Followed {
  id: string;
  name: string;
}

/** The robots of a fleet or site. */
export interface Members {
  kind: 'fleet' | 'site';
  /** Called from time to time for the robots to follow from then on. */
  now: () => Promise<readonly Followed[]>;
}

interface FollowFilter {
  level?: string | undefined;
  source?: string | undefined;
  q?: string | undefined;
}

interface FollowRequest {
  robots: readonly Followed[];
  /** Default: the set of robots does not change. */
  members?: Members | undefined;
  filter: FollowFilter;
  start: LogStart;
  view: View<LogRecord>;
}

const offer = 'Start its agent on the robot with: cli agent run';
/** Streams opened at a time: a fleet's streams do not all open at once. */
const openAtATime = 10;
const askMembersEveryMs = 10_000;

/**
 * Streams the logs of robots until Ctrl-C. A single robot must be online at the start, and the end of its stream ends
 * the command. With several robots, offline ones are awaited; one that cannot be followed is reported while the others
 * continue.
 */
export async function followLogs(call: Invocation, api: Api, request: FollowRequest): Promise<void> {
  const { robots, members, filter, start, view } = request;
  const format = formatOf(call);
  if (format === 'json' || format === 'yaml') throw usage(`--follow cannot print ${format}`, 'Use -o jsonl');
  const isOne = robots.length === 1 && !members;
  const followed = new Map<string, AbortController>();
  const connector = gatedConnector(streamConnector(call, api), concurrencyLimiter(openAtATime));
  const lines = logLines(call, view, !isOne);
  const waits = waitingLine(call);

  async function follow({ id, name }: Followed): Promise<void> {
    const controller = new AbortController();
    followed.set(id, controller);
    const following = followRobot(connector, id, {
      filter,
      start: () => start,
      mayWait: (hasOpened) => !isOne || hasOpened,
      signal: controller.signal,
      onOpen: () => waits.over(id, name),
      onRecord(record, text) {
        waits.hide();
        lines.write(record as LiveRecord, text, name);
        return call.io.out.full();
      },
      onWaiting: (error, waitMs, attempt) => waits.add({ id, name }, wordsOf(error), waitMs, attempt),
    });
    await withCliErrors(following).catch(async (error: unknown) => {
      if (isOne) throw await explained(error, { api, id, robot: name, offer });
      waits.hide();
      call.io.note(
        safeText(`${name}: ${error instanceof Error ? error.message : String(error)}; stopped following its logs`),
      );
    });
    waits.drop(id);
  }

  function begin(wanted: readonly Followed[]): Promise<void>[] {
    lines.names(wanted.map(({ name }) => name));
    return wanted.map(follow);
  }

  const first = begin(robots);
  if (!members) {
    await Promise.all(first);
    return;
  }
  if (robots.length === 0) call.io.note(`No robots are in this ${members.kind} yet; it is waited for them`);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, askMembersEveryMs));
    const present = await members.now().catch(() => undefined);
    if (!present) continue; // the streams continue, and report an unavailable service
    const ids = new Set(present.map(({ id }) => id));
    for (const [id, controller] of followed) if (!ids.has(id)) controller.abort();
    for (const id of followed.keys()) if (!ids.has(id)) followed.delete(id);
    void Promise.all(begin(present.filter(({ id }) => !followed.has(id))));
  }
}

/**
 * Offline robots on one status line, rewritten on a terminal. Each disconnect and reconnect also gets a line of its
 * own, once.
 */
function waitingLine(call: Invocation) {
  const status = statusLine(call);
  const waiting = new Map<string, string>(); // by id: two robots can have the same name
  const show = () => {
    const [first] = waiting.values();
    if (first === undefined) return status.clear();
    status.show(call.io.err.paint(waiting.size > 1 ? `${first}, and ${waiting.size - 1} more` : first, 'quiet'));
  };
  return {
    hide: () => status.clear(),
    add({ id, name }: Followed, why: string, waitMs: number, attempt: number): void {
      if (!waiting.has(id)) {
        status.clear();
        call.io.note(safeText(`${name}: ${why}`));
      }
      waiting.set(id, safeCell(`${name}: reconnecting in ${Math.ceil(waitMs / 1000)} s (attempt ${attempt})`));
      show();
    },
    over(id: string, name: string): void {
      if (!waiting.has(id)) return;
      status.clear();
      call.io.note(safeText(`${name}: reconnected`));
      this.drop(id);
    },
    drop(id: string): void {
      waiting.delete(id);
      show();
    },
  };
}
