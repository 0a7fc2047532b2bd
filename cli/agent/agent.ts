import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Capabilities, HealthSnapshot, Refused, ServerFrame } from '../../generated/frames.js';
import { protocol } from '../../generated/protocol.js';
import { healthPrograms } from './health/programs.ts';
import { machineSampler } from './health/sample.ts';
import { heartbeats } from './heartbeat.ts';
import { agentLink, type LinkSettings, type LinkStatus } from './link.ts';
import type { SocketOptions } from '../transport/link-socket.ts';
import { logIntake } from './logs/intake.ts';
import { cutMessage, recordOf } from './logs/parse.ts';
import { logSender } from './logs/sender.ts';
import { orderManager } from './orders/order-manager.ts';
import { handlerOf, type LaneSettings } from './orders/lanes.ts';
import { digestsOfUnchanged, driftWatch } from './releases/drift.ts';
import { runningOf } from './releases/kinds.ts';
import { releaseOffer } from './releases/offer.ts';
import { rosHere, type RosOffer } from './ros/offer.ts';
import { signatureGate, type SignedFor } from './signatures/gate.ts';
import type { Source } from './sources/source.ts';
import { startSources, type SourceSettings } from './sources/start.ts';
import { openSpool } from './spool/spool.ts';
import { streamsHere, type StreamOffers } from './streams/here.ts';
import { tokenRotation, type RotationSettings } from './token-rotation.ts';
import { troublesOf } from './troubles.ts';

interface AgentSettings extends SourceSettings, StreamOffers {
  /** Without a slash at its end. */
  backendUrl: string;
  token: string;
  /** Keeps another token in place of that one. Default: it is never replaced. */
  tokenKeeper?: Pick<RotationSettings, 'check' | 'keep'> | undefined;
  /** Of this program. */
  version: string;
  /** Where the spool and the journal of orders are; made if it is missing. */
  stateDirectory: string;
  /** The state directory is not touched before; default: at once. */
  stateIsOurs?: Promise<void> | undefined;
  /** What carries out orders, and where. */
  lanes: LaneSettings;
  /** Orders must be signed for this robot, by a key of `signers.json`. Default: signatures are not looked at. */
  signedFor?: SignedFor | undefined;
  /** Where `health.d` and `signers.json` may be. */
  configDirectory: string;
  /** 1 to 3,600; default: what the service proposes. */
  heartbeatSeconds?: number | undefined;
  spoolMegabytes: number;
  socketOptions: SocketOptions;
  /** Graphs whose topics people may read. Default: none. */
  ros?: RosOffer | undefined;
  /** Changes with each boot of the machine. Default: what its kernel says; where that says nothing each run counts as a boot. */
  bootId?: string | undefined;
  /** As for the link; default: what the protocol says. */
  silence?: LinkSettings['silence'];
}

export interface Agent {
  /** Ends the sources, puts what they wrote on disk, and closes the link; within 5 s, also where the disk does not answer. */
  stop(): Promise<void>;
}

interface AgentListener {
  /** Hears of the link, until it ended. */
  status(status: LinkStatus): void;
  /** What goes wrong on the robot, and that it is over; it is in the logs too. */
  told(level: 'warn' | 'info', message: string): void;
}

const meanwhile = 'They wait in memory, 1 MiB of them; what comes then is lost and counted';
const cannotKeep = () => Promise.reject(new Error('it cannot be kept here'));
const keepsNone = { check: cannotKeep, keep: cannotKeep };
/** As many as a hello takes. */
const maxKinds = 100;
/** How long the disk is waited for: at the start before the agent connects without it, at the end before it leaves. */
const diskWithinMs = { start: 3_000, stop: 2_200 };

/** The agent of one robot: its link, its health, its logs and its orders. */
export async function startAgent(settings: AgentSettings, on: AgentListener): Promise<Agent> {
  const agentVersion = `fleet-agent/${settings.version}`;
  const boot =
    settings.bootId ??
    (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    ));
  // Without one each run counts as a boot.
  const bootId = boot ?? randomUUID();
  const instance = randomUUID();
  // Nothing below may wait before the parts that call each other are all there.
  const ros = await rosHere(settings.ros, settings.stateDirectory);
  let beat: NodeJS.Timeout | undefined;
  let clockOffsetMs: number | undefined;
  /** What the last hello said of it, as JSON. */
  let toldCapabilities: string | undefined;

  const parent = join(settings.stateDirectory, 'spool');
  const spool = openSpool({
    parent,
    after: settings.stateIsOurs,
    quotaBytes: settings.spoolMegabytes * 1024 * 1024,
    bootId: boot,
    onWritten: () => sender.wake(),
    onIdChanged(before, id) {
      sender.idChanged();
      tell(`the service has stored higher numbers of the log spool ${before}; it goes on as ${id}`);
    },
    onFault: (reason) => troubles.is('spool', `logs cannot be kept in ${parent}: ${reason}. ${meanwhile}`),
    onWell: () => troubles.over('spool', `logs are kept in ${parent} again`),
  });
  const intake = logIntake(spool);
  const keep = (level: 'warn' | 'info', text: string) =>
    intake.offer('agent', () => {
      const { message } = cutMessage(text);
      return { ts: new Date().toISOString(), level, source: 'agent', message };
    });
  const tell = (message: string) => keep('info', message);
  const troubles = troublesOf((level, message) => {
    keep(level, message);
    on.told(level, message);
  });
  const socketOptions = { ...settings.socketOptions, userAgent: agentVersion };
  const { backendUrl } = settings;
  const rotation = tokenRotation(settings.token, {
    backendUrl,
    socketOptions,
    ...(settings.tokenKeeper ?? keepsNone),
    tell,
    onFailed: (message) => troubles.is('token', message),
    onWell: () => troubles.over('token', 'the token of this robot can be replaced again'),
  });
  const source = {
    backendUrl,
    // Each call and each link asks anew.
    get token() {
      return rotation.token;
    },
    socketOptions,
  };
  const link = agentLink(
    {
      backendUrl,
      get token() {
        return rotation.token;
      },
      silence: settings.silence,
      socketOptions,
      hello() {
        const can = capabilities();
        toldCapabilities = JSON.stringify(can);
        return {
          type: 'hello',
          protocol,
          agent_version: agentVersion,
          boot_id: bootId,
          instance,
          capabilities: can,
          holding: orders.holding(),
        };
      },
    },
    { status: linkStatus, frame: received },
  );
  const lanes = { ...settings.lanes, releases: { ...settings.lanes.releases, bootId } };
  const { configDirectory, signedFor } = settings;
  const gate = signedFor && signatureGate({ configDirectory, robot: signedFor });
  const orders = orderManager({
    folder: join(settings.stateDirectory, 'orders'),
    payloads: source,
    handlerOf(task, step) {
      const make = () => handlerOf(lanes, source, task);
      return gate ? gate.guard(task, step, make) : make();
    },
    send: (frame) => link.send(frame),
    tell,
    say: (source, line) => intake.offer(source, () => recordOf(source, line)),
  });
  const releases = { ...lanes.releases, source, digestOf: digestsOfUnchanged() };
  const offer = releaseOffer(releases, tell, troubles);
  const drift = driftWatch({
    folder: releases.folder,
    orders,
    running: (kind, signal) => runningOf(releases, kind, signal),
    send: (frame) => link.send(frame),
  });
  const { environment } = settings;
  const send = (frame: Refused) => link.send(frame);
  const streams = streamsHere({ ...settings, ros, socketOptions }, { tell, troubles, send });
  const sender = logSender(spool, link);
  const programs = healthPrograms(join(configDirectory, 'health.d'), environment, troubles);
  const machine = machineSampler({ agentVersion, bootId });
  const beats = heartbeats(sample);

  function sample(): HealthSnapshot {
    programs.refresh();
    const { rttMs, reconnects } = link;
    const extra = { ...ros.health?.extra, ...programs.said };
    return {
      ...machine(),
      ...ros.health?.measured,
      link: { reconnects, ...(rttMs !== undefined && { rtt_ms: Number(rttMs.toFixed(1)) }) },
      spool: spool.stats,
      ...(clockOffsetMs !== undefined && { clock_offset_ms: clockOffsetMs }),
      ...(Object.keys(extra).length > 0 && { extra }),
    };
  }

  function linkStatus(status: LinkStatus): void {
    clearInterval(beat);
    if (status.kind === 'up') {
      ({ clockOffsetMs } = status);
      const seconds = settings.heartbeatSeconds ?? status.welcome.heartbeat_seconds;
      beats.linkBegan();
      const send = () => {
        const { desiredHash: hash } = orders;
        link.send({ ...beats.next(), streams: streams.count(), ...(hash !== undefined && { desired_hash: hash }) });
      };
      beat = setInterval(send, seconds * 1000);
      tell(`connected to ${backendUrl}`);
      send();
      sender.up();
      orders.linkUp();
      drift.linkUp();
      renewHello();
    } else {
      sender.down();
    }
    if (status.kind === 'connecting') void offer.look().then(renewHello);
    on.status(status);
  }

  function capabilities(): Capabilities {
    const { kinds } = offer;
    return {
      logs: true,
      orders: orders.isOpen,
      ...streams.capabilities,
      ...(kinds && { kinds: kinds.slice(0, maxKinds) }),
    };
  }

  /** The disk may answer later than the service, which hears of what an agent can do with hello alone. */
  function renewHello(): void {
    if (JSON.stringify(capabilities()) !== toldCapabilities) link.renew('what this agent can do has changed');
  }

  function received(frame: ServerFrame): void {
    if (frame.type === 'logs_ack') sender.acknowledged(frame);
    if (frame.type === 'logs_skipped') sender.skipped(frame);
    if (frame.type === 'desired') orders.desired(frame);
    if (frame.type === 'report_ack') orders.acknowledged(frame);
    if (frame.type === 'open') streams.open(frame);
    if (frame.type === 'close') streams.close(frame);
    if (frame.type === 'rotate') rotation.begin();
  }

  const origin = settings.lanes.releases.self?.isInstalled === false ? ', which came as a release,' : '';
  tell(`${agentVersion}${origin} started as process ${process.pid}`);
  let sources: readonly Source[] = [];
  let isStopped = false;
  // Before, nobody knows where they have got to.
  const begun = spool.opened.then(async () => {
    if (isStopped) return;
    const context = { intake, spool, tell, troubles };
    sources = [...ros.logs(context), ...(await startSources(settings, context))];
  });
  const ordersOpen = Promise.resolve(settings.stateIsOurs).then(orders.open, () => undefined);
  void ordersOpen.then(renewHello);
  const streamsKnown = streams.known.then(renewHello);
  await Promise.race([
    Promise.all([begun, ordersOpen, offer.look(), streamsKnown]),
    pause(diskWithinMs.start, undefined, { ref: false }),
  ]);
  link.start();

  async function stopRest(): Promise<void> {
    drift.stop();
    await Promise.all([orders.stop(), streams.stop(), ros.stop(), ...sources.map((source) => source.stop())]);
    tell('the agent was stopped');
    intake.close();
    await Promise.all([programs.stop(), spool.close()]);
  }

  return {
    async stop() {
      isStopped = true;
      rotation.stop();
      await Promise.race([stopRest(), pause(diskWithinMs.stop, undefined, { ref: false })]);
      clearInterval(beat);
      await link.stop();
    },
  };
}
