import type { Logger } from 'pino';
import type { Hello } from '../../generated/frames.js';
import { closeCodes, limits as protocolLimits, protocol } from '../../generated/protocol.js';
import { isZone } from '../kernel/calendar/zone.ts';
import type { linkEndings } from './link-endings.ts';
import { closeLink, pause, resume, type Link } from './link.ts';
import type { JoinOutcome, JoinRequest } from './model.ts';

interface GreetingSettings {
  log: Logger;
  /** Creates the link in the database. */
  join(request: JoinRequest): Promise<JoinOutcome>;
  /** The links that are up; a greeted one is added. */
  byRobot: Map<string, Link>;
  endings: ReturnType<typeof linkEndings>;
  nowMs(): number;
  /** Unix time in ms by the clock of the database, which agents compare with their own. */
  databaseMs(): number;
  /** The link is up and has its welcome. Frames after its hello are read after this. */
  onUp(link: Link, joined: Extract<JoinOutcome, { kind: 'joined' }>, hello: Hello): void;
}

/** Close reasons hold 123 bytes. */
const tooSoon = 'another link of this robot began less than 1 s ago; a second agent may use its token';

/** Handles the hello of an agent: creates its link, ends an older one of its robot, and sends the welcome. */
export function helloHandler({ log, join, byRobot, endings, nowMs, databaseMs, onUp }: GreetingSettings) {
  function greet(link: Link, hello: Hello): void {
    link.state = 'joining';
    pause(link);
    const { orgId, robotId, address } = link;
    const { agent_version: agentVersion, boot_id: bootId, instance = bootId } = hello;
    const takesOrders = hello.capabilities?.orders === true;
    const { shell, cameras = [], topics } = hello.capabilities ?? {};
    const opens = { opensShells: shell === true, cameras, hasTopics: topics === true };
    link.opensStreams = opens.opensShells || opens.hasTopics || cameras.length > 0;
    const { signed_only: signedOnly, gates, windows } = hello.capabilities ?? {};
    const keeps = { signedOnly: signedOnly === true, asksGates: gates === true, keepsWindows: windows === true };
    const timezone = hello.timezone !== undefined && isZone(hello.timezone) ? hello.timezone : undefined;
    join({ orgId, robotId, agentVersion, bootId, instance, address, timezone, takesOrders, ...keeps, ...opens })
      .then((joined) => settle(link, joined, hello))
      .catch((error: unknown) => {
        log.warn({ err: error, orgId, robotId }, 'a link could not be created');
        closeLink(link, closeCodes.tryLater, 'the service cannot accept the link at the moment', 'service_failed');
      });
  }

  function settle(link: Link, joined: JoinOutcome, hello: Hello): void {
    if (joined.kind === 'gone') return endings.loseTo(link, 'gone');
    if (joined.kind === 'refused') return closeLink(link, closeCodes.tryLater, tooSoon, 'refused');
    link.epoch = joined.epoch;
    const before = byRobot.get(link.robotId);
    if (before && before.epoch > link.epoch) return endings.loseTo(link, 'replaced');
    if (before) endings.loseTo(before, 'replaced');
    // It may have ended during the database call.
    if (link.state === 'over') return endings.end(link, 'lost', undefined);
    byRobot.set(link.robotId, link);
    link.state = 'up';
    link.beatMs = nowMs();
    link.socket.send(
      JSON.stringify({
        type: 'welcome',
        protocol,
        server_time: new Date(databaseMs()).toISOString(),
        heartbeat_seconds: protocolLimits.heartbeatSeconds,
        robot_id: link.robotId,
        robot_name: joined.robotName,
      }),
    );
    onUp(link, joined, hello);
    resume(link);
  }

  return greet;
}
