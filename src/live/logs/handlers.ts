import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import { badRequest, conflict, DomainError } from '../../kernel/errors.ts';
import { tooManyStreams } from '../../platform/http/reply/too-many-streams.ts';
import type { UpgradeRoute } from '../../platform/ws/upgrade.ts';
import type { RobotService } from '../../robots/service.ts';
import type { ViewerFacts, Viewers } from '../viewers/service.ts';
import { instant, recordToWire } from '../../logs/handlers.ts';
import { levels, type Level, type LogRecord } from '../../logs/model.ts';
import type { LiveLogs } from '../../logs/service.ts';
import type { Sink, TailRequest } from './tail.ts';

interface LiveLogParts {
  robots: Pick<RobotService, 'get'>;
  viewers: Viewers;
  live: LiveLogs;
  log: Logger;
}

const maxTail = 10_000;

/** `/api/robots/{id}/logs/ws`: the logs of a robot as they arrive, one record per frame. */
export const liveLogRoute = ({ robots, viewers, live, log }: LiveLogParts): UpgradeRoute => ({
  path: '/api/robots/{id}/logs/ws',
  kinds: ['user', 'org'],
  leastRole: 'viewer',
  parameters: ['tail', 'after', 'since', 'level', 'source', 'q'],
  server: viewers.server,
  async prepare({ caller, params, query, request, headers }) {
    if (!('tokenId' in caller)) throw new Error('the judge let in a caller of another kind');
    const { orgId, tokenId } = caller;
    const tailRequest = readTailRequest(query);
    const robot = await robots.get(orgId, params['id'] ?? '');
    if (!robot.online) throw conflict('agent offline');
    const facts: ViewerFacts = { kind: 'logs', orgId, tokenId, robotId: robot.id, leastRole: 'viewer' };
    const full = await viewers.findRefusal(facts);
    if (full) throw tooManyStreams(full);
    // Lets a viewer that was sent nothing yet reconnect without missing what was stored meanwhile.
    headers['X-Log-Seq'] = String(await live.head(orgId, robot.id));
    return (socket) => {
      viewers.add(socket, facts);
      const sink = sinkOf(socket, request.socket, (error) =>
        log.warn({ err: error, orgId, robotId: robot.id }, 'live logs could not be read; the stream is closed'),
      );
      const end = live.open(orgId, robot.id, tailRequest, sink);
      let isLooking = false; // a slow database is not queried again before it responds
      const look = setInterval(() => {
        if (isLooking) return;
        isLooking = true;
        robots
          .get(orgId, robot.id)
          .then(({ online }) => online || socket.close(closeCodes.agentOffline, 'agent offline'))
          .catch((error: unknown) => {
            // The hint about it may be lost. Any other error means that the database is unavailable.
            if (error instanceof DomainError && error.code === 'not_found')
              socket.close(closeCodes.notFound, 'the robot was removed');
          })
          .finally(() => (isLooking = false));
      }, viewers.limits.onlineEveryMs);
      socket.on('message', () => socket.close(closeCodes.policy, 'this stream accepts no frames'));
      socket.on('close', () => {
        clearInterval(look);
        end();
      });
    };
  },
});

function sinkOf(socket: WebSocket, wire: Socket, onFailed: (error: unknown) => void): Sink {
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    wire.uncork();
  };

  /** Records sent in one turn go out in one write: one write per record would take most of the CPU time. */
  function send(text: string): void {
    if (!isCorked) {
      isCorked = true;
      wire.cork();
      process.nextTick(uncork);
    }
    socket.send(text);
  }

  return {
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send,
    skip(fromSeq, toSeq) {
      const dropped = toSeq - fromSeq + 1;
      const gap = {
        type: 'gap',
        ts: new Date().toISOString(),
        level: 'warn',
        source: 'service',
        message: `${dropped} records skipped`,
        dropped,
        from_seq: fromSeq,
        to_seq: toSeq,
        reason: 'slow_consumer',
      };
      send(JSON.stringify(gap));
    },
    fail(error) {
      onFailed(error);
      socket.close(closeCodes.tryLater, 'the logs cannot be read at the moment');
    },
  };
}

/** A record in its wire format. */
export const liveText = (record: LogRecord): string => JSON.stringify(recordToWire(record));

/** @throws bad_request */
function readTailRequest({ tail, after, since, level, source, q }: Record<string, string>): TailRequest {
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
