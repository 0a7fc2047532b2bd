import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { HealthSnapshot, ServerFrame } from '../../generated/frames.js';
import { protocol } from '../../generated/protocol.js';
import { healthPrograms } from './health/programs.ts';
import { machineSampler } from './health/sample.ts';
import { heartbeats } from './heartbeat.ts';
import { agentLink, type LinkStatus } from './link.ts';
import type { SocketOptions } from './link-socket.ts';
import { logIntake } from './logs/intake.ts';
import { cutMessage } from './logs/parse.ts';
import { logSender } from './logs/sender.ts';
import { startSources, type SourceSettings } from './sources/start.ts';
import { openSpool } from './spool/spool.ts';

interface AgentSettings extends SourceSettings {
  /** Without a slash at its end. */
  backendUrl: string;
  token: string;
  /** Of this program. */
  version: string;
  /** Where the spool is; made if it is missing. */
  stateDirectory: string;
  /** Where `health.d` may be. */
  configDirectory: string;
  /** 1 to 3,600; default: what the service proposes. */
  heartbeatSeconds?: number | undefined;
  spoolMegabytes: number;
  socketOptions: SocketOptions;
}

export interface Agent {
  /** Ends the sources, puts what they wrote on disk, and closes the link; within 5 s. */
  stop(): Promise<void>;
}

/** The agent of one robot: its link, its health and its logs. `onStatus` hears of the link, until it ended. */
export async function startAgent(settings: AgentSettings, onStatus: (status: LinkStatus) => void): Promise<Agent> {
  const agentVersion = `fleet-agent/${settings.version}`;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
  // Without one each run counts as a boot.
  const bootId = boot ?? randomUUID();
  const instance = randomUUID();
  let beat: NodeJS.Timeout | undefined;
  let clockOffsetMs: number | undefined;

  const spool = await openSpool({
    parent: join(settings.stateDirectory, 'spool'),
    quotaBytes: settings.spoolMegabytes * 1024 * 1024,
    bootId: boot,
    onWritten: () => sender.wake(),
  });
  const intake = logIntake(spool);
  const tell = (message: string) =>
    intake.offer('agent', () => ({
      ts: new Date().toISOString(),
      level: 'info',
      source: 'agent',
      message: cutMessage(message).message,
    }));
  const link = agentLink(
    {
      backendUrl: settings.backendUrl,
      token: settings.token,
      socketOptions: { ...settings.socketOptions, userAgent: agentVersion },
      hello: () => ({
        type: 'hello',
        protocol,
        agent_version: agentVersion,
        boot_id: bootId,
        instance,
        capabilities: { logs: true },
      }),
    },
    { status: linkStatus, frame: received },
  );
  const sender = logSender(spool, link);
  const programs = healthPrograms(join(settings.configDirectory, 'health.d'), settings.environment, tell);
  const machine = machineSampler({ agentVersion, bootId });
  const beats = heartbeats(sample);

  function sample(): HealthSnapshot {
    programs.refresh();
    const { rttMs, reconnects } = link;
    return {
      ...machine(),
      link: { reconnects, ...(rttMs !== undefined && { rtt_ms: Number(rttMs.toFixed(1)) }) },
      spool: spool.stats,
      ...(clockOffsetMs !== undefined && { clock_offset_ms: clockOffsetMs }),
      ...(programs.said && { extra: programs.said }),
    };
  }

  function linkStatus(status: LinkStatus): void {
    clearInterval(beat);
    if (status.kind === 'up') {
      ({ clockOffsetMs } = status);
      const seconds = settings.heartbeatSeconds ?? status.welcome.heartbeat_seconds;
      beats.linkBegan();
      const send = () => link.send(beats.next());
      beat = setInterval(send, seconds * 1000);
      tell(`connected to ${settings.backendUrl}`);
      send();
      sender.up();
    } else {
      sender.down();
    }
    onStatus(status);
  }

  function received(frame: ServerFrame): void {
    if (frame.type === 'logs_ack') sender.acknowledged(frame);
  }

  tell(`${agentVersion} started as process ${process.pid}`);
  const sources = await startSources(settings, { intake, spool, tell });
  link.start();

  return {
    async stop() {
      await Promise.all(sources.map((source) => source.stop()));
      tell('the agent was stopped');
      intake.close();
      await Promise.all([programs.stop(), spool.close()]);
      clearInterval(beat);
      await link.stop();
    },
  };
}
