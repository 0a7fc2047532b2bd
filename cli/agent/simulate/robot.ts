import type { Heartbeat, Hello, Refused, ServerFrame } from '../../../generated/frames.js';
import { limits, protocol } from '../../../generated/protocol.js';
import type { SimulatedRobot } from '../../files/simulated-robots.ts';
import { agentLink, type AgentLink, type LinkStatus } from '../link.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import { fetchPayload } from '../orders/payload.ts';
import { playCamera, simulatedCamera } from './camera.ts';
import { chatterOf, type Chatter } from './chatter.ts';
import { playOrders, type PlayedOrders } from './orders.ts';
import type { Profile } from './profile.ts';
import { around, between, seeded, untilNext } from './random.ts';
import { memorySpool } from './spool.ts';
import type { Counts, Whereabouts } from './tally.ts';
import { vitalsOf } from './vitals.ts';
import type { TimerWheel } from './timer-wheel.ts';

export interface RobotSettings {
  backendUrl: string;
  socketOptions: SocketOptions;
  profile: Profile;
  /** Determines all that the robot does, apart from the clock. */
  seed: string;
  /** Sent to the service; different for each run. */
  run: string;
  agentVersion: string;
  wheel: TimerWheel;
  counts: Counts;
}

export interface PlayedRobot {
  readonly whereabouts: Whereabouts;
  /** Starts to connect; called once. */
  start(): void;
  /** Closes the link gracefully. */
  stop(): Promise<void>;
}

/** One robot: a real link, health values that drift, and made-up logs. All periodic work runs on the timer wheel. */
export function playRobot(identity: SimulatedRobot, index: number, settings: RobotSettings): PlayedRobot {
  const { profile, wheel, counts, run } = settings;
  const random = seeded(`${settings.seed}/${index}`);
  const vitals = vitalsOf(random, seeded(`${settings.seed}/${index}/condition`), profile, Date.now());
  const chatter = chatterOf(random, profile);
  const spool = memorySpool(`${run}.${index}`);
  let whereabouts: Whereabouts = 'new';
  let link: AgentLink | undefined;
  let heartbeatMs = (profile.heartbeat_seconds || limits.heartbeatSeconds) * 1000;
  let measuredAt = 0;
  let isStopped = false;
  let ended: AbortController | undefined;
  let desiredHash: string | undefined;
  /** Created with the first order: most robots of a large run have none. */
  let orders: PlayedOrders | undefined;

  const { camera_fps: perSecond } = profile;
  const send = (refused: Refused) => void link?.send(refused);
  const { backendUrl, socketOptions } = settings;
  const camera = perSecond > 0 ? playCamera({ backendUrl, socketOptions, perSecond, send }) : undefined;

  const ordersOf = (): PlayedOrders =>
    playOrders({
      profile,
      seed: `${settings.seed}/${index}`,
      wheel,
      counts,
      send: (report) => link?.send(report) ?? false,
      log: (message) =>
        keep(1, (seq) => ({ seq, ts: new Date().toISOString(), level: 'error', source: 'agent', message })),
      fetchPayload(digest) {
        ended ??= new AbortController();
        return fetchPayload(digest, { backendUrl, token: identity.robotToken, socketOptions }, ended.signal);
      },
    });

  counts.robots.new += 1;
  function be(next: Whereabouts): void {
    if (whereabouts === 'up' && next !== 'up') counts.disconnects += 1;
    counts.robots[whereabouts] -= 1;
    counts.robots[next] += 1;
    whereabouts = next;
  }

  const hello = (): Hello => ({
    type: 'hello',
    protocol,
    agent_version: settings.agentVersion,
    boot_id: `simulated-${run}-${index}`,
    capabilities: { logs: true, orders: true, ...(camera && { cameras: [simulatedCamera] }) },
    holding: orders?.holding() ?? [],
  });

  function connect(): void {
    link = agentLink({ backendUrl, token: identity.robotToken, hello, socketOptions, random }, { status, frame });
    link.start();
    be('connecting');
  }

  function status(change: LinkStatus): void {
    if (change.kind === 'up') {
      be('up');
      counts.connects += 1;
      if (profile.heartbeat_seconds === 0) heartbeatMs = change.welcome.heartbeat_seconds * 1000;
      beat(true);
      for (const logs of spool.unacknowledged) if (link?.send(logs)) counts.log_frames += 1;
      return;
    }
    if (change.kind === 'connecting') return be('connecting');
    if (change.kind === 'waiting' || change.final)
      counts.reasons.set(change.reason, (counts.reasons.get(change.reason) ?? 0) + 1);
    if (change.kind === 'waiting') be('waiting');
    else be(change.final ? 'refused' : 'away');
  }

  function frame(received: ServerFrame): void {
    camera?.frame(received);
    if (received.type === 'desired') {
      desiredHash = received.hash;
      if (received.items.length > 0) orders ??= ordersOf();
      orders?.desired(received.items);
    }
    if (received.type === 'report_ack') orders?.acknowledged(received);
    if (received.type !== 'logs_ack') return;
    counts.acknowledgements += 1;
    counts.log_records_acknowledged += spool.acknowledge(received);
  }

  function beat(withHealth: boolean): void {
    const measures = withHealth || performance.now() - measuredAt >= profile.health_seconds * 1000;
    if (measures) measuredAt = performance.now();
    const heartbeat: Heartbeat = {
      type: 'heartbeat',
      ...(measures && { health: vitals.measure() }),
      ...(desiredHash !== undefined && { desired_hash: desiredHash }),
      ...(camera && { streams: camera.count() }),
    };
    if (!link?.send(heartbeat)) return;
    counts.heartbeats += 1;
    if (measures) counts.snapshots += 1;
  }

  function write(): void {
    keep(around(random, (profile.log_lines_per_minute / 60) * profile.log_batch_seconds), chatter.line);
  }

  function keep(lines: number, line: Chatter['line']): void {
    const before = spool.dropped;
    const frames = spool.write(lines, line);
    counts.log_records_dropped += spool.dropped - before;
    for (const logs of frames) {
      counts.log_records += logs.records.length;
      if (link?.send(logs)) counts.log_frames += 1;
    }
  }

  /** Closes the link, and connects again after a while. */
  async function flap(): Promise<void> {
    if (whereabouts !== 'up') return;
    counts.flaps += 1;
    await link?.stop();
    wheel.add(
      {
        run() {
          if (!isStopped) connect();
          return undefined;
        },
      },
      between(random, profile.flap_seconds_min, profile.flap_seconds_max) * 1000,
    );
  }

  /** Repeats until the robot is stopped or refused. */
  const recur = (act: () => void, nextMs: () => number) => ({
    run() {
      if (isStopped || whereabouts === 'refused') return undefined;
      act();
      return nextMs();
    },
  });

  return {
    get whereabouts() {
      return whereabouts;
    },
    start() {
      connect();
      // Each robot starts at a random time, so that robots do not send heartbeats in step.
      wheel.add(
        recur(
          () => beat(false),
          () => heartbeatMs,
        ),
        random() * heartbeatMs,
      );
      const batchMs = profile.log_batch_seconds * 1000;
      if (profile.log_lines_per_minute > 0)
        wheel.add(
          recur(write, () => batchMs),
          random() * batchMs,
        );
      if (profile.flaps_per_hour > 0) {
        const untilFlap = () => untilNext(random, 3_600_000 / profile.flaps_per_hour);
        wheel.add(
          recur(() => void flap(), untilFlap),
          untilFlap(),
        );
      }
    },
    async stop() {
      isStopped = true;
      ended?.abort();
      await camera?.stop();
      await link?.stop();
    },
  };
}
