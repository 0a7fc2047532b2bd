import type { Heartbeat, Hello, Refused, ServerFrame } from '../../../generated/frames.js';
import { limits, protocol } from '../../../generated/protocol.js';
import type { SimulatedRobot } from '../../files/simulated-robots.ts';
import { agentLink, type AgentLink, type LinkStatus } from '../link.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import { fetchPayload } from '../orders/payload.ts';
import { robotGates } from '../gates/gates.ts';
import { ownZone } from '../gates/window.ts';
import { playCamera, simulatedCamera } from './camera.ts';
import { chatterOf, type Chatter } from './chatter.ts';
import { playDrift } from './drift.ts';
import { playOrders, type PlayedOrders } from './orders.ts';
import { playOutages } from './outages.ts';
import type { Profile } from './profile.ts';
import { around, seeded } from './random.ts';
import { memorySpool } from './spool.ts';
import type { Counts, Whereabouts } from './tally.ts';
import { traitsOf } from './traits.ts';
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
  const seed = `${settings.seed}/${index}`;
  const random = seeded(seed);
  const vitals = vitalsOf(random, seeded(`${seed}/condition`), profile, Date.now());
  const traits = traitsOf(seed, profile);
  const chatter = chatterOf(random, profile);
  const spool = memorySpool(`${run}.${index}`);
  let whereabouts: Whereabouts = 'new';
  let link: AgentLink | undefined;
  let heartbeatMs = (profile.heartbeat_seconds || limits.heartbeatSeconds) * 1000;
  let measuredAt = 0;
  let isStopped = false;
  const ended = new AbortController();
  let desiredHash: string | undefined;
  /** Created with the first order: most robots of a large run have none. */
  let orders: PlayedOrders | undefined;
  let drift: ReturnType<typeof playDrift> | undefined;

  const { camera_fps: perSecond } = profile;
  const send = (refused: Refused) => void link?.send(refused);
  const { backendUrl, socketOptions } = settings;
  const timezone = ownZone();
  const camera = perSecond > 0 ? playCamera({ backendUrl, socketOptions, perSecond, send }) : undefined;

  function ordersOf(): PlayedOrders {
    // Of a simulated robot, only gates on its state are set: it has no folder, and runs no command.
    const parts = { look: () => Promise.resolve(vitals.measure()), folder: '', environment: {} };
    const played = playOrders({
      profile,
      seed,
      traits,
      wheel,
      counts,
      signal: ended.signal,
      gates: robotGates(traits.gates, parts),
      send: (report) => link?.send(report) ?? false,
      log: (message) =>
        keep(1, (seq) => ({ seq, ts: new Date().toISOString(), level: 'error', source: 'agent', message })),
      fetchPayload: (digest) =>
        fetchPayload(digest, { backendUrl, token: identity.robotToken, socketOptions }, ended.signal),
      onRelease: (lane, digest) => drift?.applied(lane, digest),
    });
    if (traits.drifts)
      drift = playDrift({ profile, seed, counts, orders: played, send: (frame) => link?.send(frame) ?? false });
    return played;
  }

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
    ...(timezone !== undefined && { timezone }),
    capabilities: {
      logs: true,
      orders: true,
      ...(!traits.isOld && { gates: true, windows: true }),
      ...(camera && { cameras: [simulatedCamera] }),
    },
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
      drift?.linkUp();
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
      const { isOftenOffline } = traits;
      playOutages({
        profile,
        seed,
        random,
        isOftenOffline,
        wheel,
        counts,
        whereabouts: () => whereabouts,
        disconnect: () => link?.stop() ?? Promise.resolve(),
        connect() {
          if (!isStopped) connect();
        },
      });
    },
    async stop() {
      isStopped = true;
      ended.abort();
      drift?.stop();
      await camera?.stop();
      await link?.stop();
    },
  };
}
