import type { HealthSnapshot, ServerFrame } from '../../generated/frames.js';
import { protocol } from '../../generated/protocol.js';
import { heartbeats } from './heartbeat.ts';
import { agentLink, type AgentLink, type LinkStatus } from './link.ts';
import type { AgentLog } from './logs/agent-log.ts';
import { logSender, type LogSender } from './logs/sender.ts';
import type { RunIdentity } from './run-identity.ts';
import type { AgentServices } from './services.ts';
import type { AgentListener, AgentSettings } from './settings.ts';

interface LinkParts {
  run: RunIdentity;
  log: AgentLog;
  zone: string | undefined; // of the robot
  services: AgentServices;
  /** Takes a snapshot, for a heartbeat. */
  sample(link: LinkFacts): HealthSnapshot;
  status: AgentListener['status'];
}

/** The link's values in a snapshot. */
export interface LinkFacts extends Pick<AgentLink, 'rttMs' | 'reconnects'> {
  /** Undefined before the first link. */
  clockOffsetMs: number | undefined;
}

interface ServiceLink extends Pick<AgentLink, 'start' | 'send'> {
  sender: LogSender;
  /** Opens a new link if the hello of the current one has outdated capabilities. */
  renewHello(): void;
  /** Resolves within 2 s. */
  stop(): Promise<void>;
}

/** The link of this robot: its hello and heartbeats, and the part that handles each frame of the service. */
export function serviceLink(settings: AgentSettings, parts: LinkParts): ServiceLink {
  const { backendUrl } = settings;
  const { run, log, zone: timezone, services, sample, status: onStatus } = parts;
  const { rotation, orders, offer, drift, streams, capabilities } = services;
  let beat: NodeJS.Timeout | undefined;
  let clockOffsetMs: number | undefined;
  /** The capabilities in the last hello, as JSON. */
  let toldCapabilities: string | undefined;

  const link = agentLink(
    {
      backendUrl,
      // Each link reads the current token.
      get token() {
        return rotation.token;
      },
      silence: settings.silence,
      socketOptions: { ...settings.socketOptions, userAgent: run.agentVersion },
      hello() {
        const can = capabilities();
        toldCapabilities = JSON.stringify(can);
        return {
          type: 'hello',
          protocol,
          agent_version: run.agentVersion,
          boot_id: run.bootId,
          instance: run.instance,
          ...(timezone !== undefined && { timezone }),
          capabilities: can,
          holding: orders.holding(),
        };
      },
    },
    { status: statusChanged, frame: received },
  );
  const sender = logSender(log.spool, link);
  const beats = heartbeats(() => sample({ rttMs: link.rttMs, reconnects: link.reconnects, clockOffsetMs }));

  function sendHeartbeat(): void {
    const { desiredHash: hash } = orders;
    link.send({ ...beats.next(), streams: streams.count(), ...(hash !== undefined && { desired_hash: hash }) });
  }

  function statusChanged(status: LinkStatus): void {
    clearInterval(beat);
    if (status.kind === 'up') {
      ({ clockOffsetMs } = status);
      const seconds = settings.heartbeatSeconds ?? status.welcome.heartbeat_seconds;
      beats.linkBegan();
      beat = setInterval(sendHeartbeat, seconds * 1000);
      log.tell(`connected to ${backendUrl}`);
      sendHeartbeat();
      sender.up();
      orders.linkUp();
      drift.linkUp();
      renewHello();
    } else {
      sender.down();
    }
    if (status.kind === 'connecting') void offer.look().then(renewHello);
    onStatus(status);
  }

  /** The disk may respond later than the service, and only the hello reports capabilities. */
  function renewHello(): void {
    if (JSON.stringify(capabilities()) !== toldCapabilities) link.renew('the capabilities of this agent changed');
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

  return {
    start: link.start,
    send: link.send,
    sender,
    renewHello,
    async stop() {
      clearInterval(beat);
      await link.stop();
    },
  };
}
