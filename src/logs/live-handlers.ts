import type { WebSocket } from 'ws';
import { closeCodes } from '../../generated/protocol.js';
import { badRequest, conflict } from '../kernel/errors.ts';
import { HttpError } from '../platform/http/failures.ts';
import type { UpgradeRoute } from '../platform/ws/upgrade.ts';
import type { RobotService } from '../robots/service.ts';
import type { ViewerFacts, Viewers } from '../viewers/service.ts';
import { instant, recordToWire } from './handlers.ts';
import { levels, type Level, type LogRecord } from './model.ts';
import type { LiveLogs } from './service.ts';
import type { Sink, TailWish } from './tail.ts';

interface LiveLogParts {
  robots: Pick<RobotService, 'get'>;
  viewers: Viewers;
  live: LiveLogs;
}

const maxTail = 10_000;
/** How often a robot that is watched is looked at: a stream whose robot is away says so. */
const onlineEveryMs = 3_000;

/** `/api/robots/{id}/logs/ws`: the logs of a robot as they come, a record a frame. */
export const liveLogRoute = ({ robots, viewers, live }: LiveLogParts): UpgradeRoute => ({
  path: '/api/robots/{id}/logs/ws',
  kinds: ['user', 'org'],
  leastRole: 'viewer',
  parameters: ['tail', 'after', 'since', 'level', 'source', 'q'],
  server: viewers.server,
  async prepare({ caller, params, query, headers }) {
    if (!('tokenId' in caller)) throw new Error('the judge let in a caller of another kind');
    const { orgId, tokenId } = caller;
    const wish = readWish(query);
    const robot = await robots.get(orgId, params['id'] ?? '');
    if (!robot.online) throw conflict('agent offline');
    const facts: ViewerFacts = { orgId, tokenId, robotId: robot.id, leastRole: 'viewer' };
    const full = viewers.refusal(facts);
    if (full !== undefined) throw new HttpError(429, full, { headers: { 'Retry-After': '10' } });
    // So that a reader who was shown nothing yet can come again without missing what was stored meanwhile.
    headers['X-Log-Seq'] = String(await live.head(orgId, robot.id));
    return (socket) => {
      viewers.add(socket, facts);
      const end = live.open(orgId, robot.id, wish, sinkOf(socket));
      const isOnline = () => robots.get(orgId, robot.id).then(({ online }) => online);
      const look = setInterval(() => {
        isOnline().then(
          (online) => online || socket.close(closeCodes.agentOffline, 'agent offline'),
          () => undefined, // the database is away, or the robot was removed, which ends its logs too
        );
      }, onlineEveryMs);
      socket.on('message', () => socket.close(closeCodes.policy, 'nothing is taken here'));
      socket.on('close', () => {
        clearInterval(look);
        end();
      });
    };
  },
});

const sinkOf = (socket: WebSocket): Sink => ({
  get bufferedBytes() {
    return socket.bufferedAmount;
  },
  send: (text) => socket.send(text),
  skip(fromSeq, toSeq) {
    const dropped = toSeq - fromSeq + 1;
    socket.send(
      JSON.stringify({
        type: 'gap',
        ts: new Date().toISOString(),
        level: 'warn',
        source: 'service',
        message: `${dropped} records skipped`,
        dropped,
        from_seq: fromSeq,
        to_seq: toSeq,
        reason: 'slow_consumer',
      }),
    );
  },
  fail: () => socket.close(closeCodes.tryLater, 'the logs cannot be read now'),
});

/** A record as it goes out. */
export const liveText = (record: LogRecord): string => JSON.stringify(recordToWire(record));

/** @throws bad_request */
function readWish({ tail, after, since, level, source, q }: Record<string, string>): TailWish {
  if (level !== undefined && !levels.includes(level as Level))
    throw badRequest(`query.level: must be one of ${levels.join(', ')}`);
  return {
    tail: tail === undefined ? undefined : integer('tail', tail, maxTail),
    afterSeq: after === undefined ? undefined : integer('after', after, Number.MAX_SAFE_INTEGER),
    since: since === undefined ? undefined : instant('query.since', since),
    level: level as Level | undefined,
    source,
    text: q,
  };
}

function integer(name: string, text: string, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value <= most)) throw badRequest(`query.${name}: must be a whole number, ${most} at most`);
  return value;
}
