import type { Api } from '../../api/api.ts';
import { isTransient } from '../../api/api-errors.ts';
import { usage } from '../../command-line/errors.ts';
import { followLogs as followRobot, type LogStart } from '../../client/streams/logs.ts';
import { concurrencyLimiter, gatedConnector } from '../../live/concurrency-limiter.ts';
import { streamConnector } from '../../live/stream-connector.ts';
import { explained } from '../../live/stream-refusals.ts';
import { withCliErrors, wordsOf } from '../../live/stream-errors.ts';
import { safeCell, safeText } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import { formatOf } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { positionBeforeTail, positionOfJoining } from './log-positions.ts';
import type { filterOf } from './logs-flags.ts';
import { logLines, type LiveRecord } from './logs-lines.ts';
import type { LogScope } from './logs-scope.ts';
import { recordView } from './logs-view.ts';

/** A robot whose logs are followed. */
export interface Followed {
  id: string;
  name: string;
}

/** The robots of a fleet or site at one moment. */
export interface MemberList {
  robots: readonly Followed[];
  /** By the clock of the service. */
  at: Date;
}

/** The changing robots of a fleet or site. */
export interface Members {
  kind: 'fleet' | 'site';
  group: LogScope;
  /** When the robots of the request were its members. */
  at: Date;
  /** Called from time to time for the robots to follow from then on. */
  now: () => Promise<MemberList>;
}

interface FollowRequest {
  robots: readonly Followed[];
  /** Default: the set of robots does not change. */
  members?: Members | undefined;
  filter: Pick<ReturnType<typeof filterOf>, 'level' | 'source' | 'q'>;
  start: LogStart;
}

const offer = 'Start its agent on the robot with: cli agent run';
/** Streams opened at a time: a fleet's streams do not all open at once. */
const openAtATime = 10;
const askMembersEveryMs = 10_000;

/**
 * Streams the logs of robots until Ctrl-C. A single robot must be online at the start, and the end of its stream ends
 * the command. With several robots, offline ones are awaited; one that cannot be followed is reported while the others
 * continue, and the command fails once none is followed. A fleet or site is followed until the list of its robots is
 * refused; a robot that joins is followed from its first record as a member.
 */
export async function followLogs(call: Invocation, api: Api, request: FollowRequest): Promise<void> {
  const { robots, members, filter, start } = request;
  const format = formatOf(call);
  if (format === 'json' || format === 'yaml') throw usage(`--follow cannot print ${format}`, 'Use -o jsonl');
  const isOne = robots.length === 1 && !members;
  const followed = new Map<string, { name: string; controller: AbortController }>();
  const shown = new Map<string, number>(); // by id: the last record; a robot may leave and return
  const gated = concurrencyLimiter(openAtATime);
  const connector = gatedConnector(streamConnector(call, api), gated);
  const view = recordView(isOne ? undefined : { get: (id) => followed.get(id)?.name });
  const lines = logLines(call, view, !isOne);
  const waits = waitingLine(call);

  /** Returns the refusal that ended it, if one of several; it is reported. */
  async function follow({ id, name }: Followed, begin: () => LogStart | Promise<LogStart>): Promise<unknown> {
    const controller = new AbortController();
    followed.set(id, { name, controller });
    const { tail, since } = start;
    const following = followRobot(connector, id, {
      filter,
      start: begin,
      startLater:
        isOne || tail === undefined
          ? undefined
          : () => gated(() => positionBeforeTail(api, id, { ...filter, since }, tail)),
      mayWait: (hasOpened) => !isOne || hasOpened,
      signal: controller.signal,
      onOpen: () => waits.over(id, name),
      onRecord(record, text) {
        waits.hide();
        lines.write(record as LiveRecord, text, name);
        if (members) shown.set(id, 'to_seq' in record ? record.to_seq : record.seq);
        return call.io.out.full();
      },
      onWaiting: (error, waitMs, attempt) => waits.add({ id, name }, wordsOf(error), waitMs, attempt),
    });
    const refusal = await withCliErrors(following).catch(async (error: unknown) => {
      if (isOne) throw await explained(error, { api, id, robot: name, offer });
      waits.hide();
      call.io.note(
        safeText(`${name}: ${error instanceof Error ? error.message : String(error)}; stopped following its logs`),
      );
      return error;
    });
    waits.drop(id);
    controller.abort();
    return refusal;
  }

  lines.names(robots.map(({ name }) => name));
  const first = robots.map((robot) => follow(robot, () => start));
  if (!members) {
    const [refusal] = await Promise.all(first);
    if (refusal instanceof Error) throw refusal;
    return;
  }
  const { group } = members;
  const joined = (robot: Followed, absentAt: Date) =>
    follow(robot, async () => {
      const joining = { robotId: robot.id, group, absentAt, shownSeq: shown.get(robot.id) ?? 0 };
      return { after: await gated(() => positionOfJoining(api, joining)) };
    });
  let { at } = members;
  if (robots.length === 0) call.io.note(`No robots are in this ${members.kind} yet; it is waited for them`);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, askMembersEveryMs));
    const present = await members.now().catch((error: unknown) => {
      if (isTransient(error)) return undefined; // the streams continue, and report an unavailable service
      for (const { controller } of followed.values()) controller.abort();
      waits.hide();
      throw error;
    });
    if (!present) continue;
    const ids = new Set(present.robots.map(({ id }) => id));
    for (const [id, { name, controller }] of followed) {
      if (ids.has(id)) continue;
      followed.delete(id);
      if (controller.signal.aborted) continue; // it was reported
      controller.abort();
      waits.hide();
      call.io.note(safeText(`${name}: left this ${members.kind}; stopped following its logs`));
    }
    const joining = present.robots.filter(({ id }) => !followed.has(id));
    lines.names(joining.map(({ name }) => name));
    for (const robot of joining) void joined(robot, at);
    ({ at } = present);
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
