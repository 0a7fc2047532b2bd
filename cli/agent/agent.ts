import { setTimeout as pause } from 'node:timers/promises';
import { linkedZone } from './gates/linked-zone.ts';
import { ownZone } from './gates/window.ts';
import { healthSnapshots } from './health/snapshot.ts';
import { agentLog } from './logs/agent-log.ts';
import { openRosGraphs } from './ros/offer.ts';
import { runIdentity } from './run-identity.ts';
import { serviceLink } from './service-link.ts';
import { agentServices } from './services.ts';
import type { AgentListener, AgentSettings } from './settings.ts';
import type { Source } from './sources/source.ts';
import { startSources } from './sources/start.ts';

export interface Agent {
  /**
   * Ends the sources, writes their records to disk and closes the link; within 5 s, even if the disk does not respond.
   */
  stop(): Promise<void>;
}

/** How long to wait for the disk: at the start before the agent connects without it, at the end before it exits. */
const diskWithinMs = { start: 3_000, stop: 2_200 };

/** The agent of one robot: its link, its health, its logs and its orders. */
export async function startAgent(settings: AgentSettings, on: AgentListener): Promise<Agent> {
  const run = await runIdentity(settings);
  const ros = await openRosGraphs(settings.ros, settings.stateDirectory);
  // Nothing below may wait until all parts that call each other exist.
  const log = agentLog({ ...settings, boot: run.boot, sender: () => link.sender, told: on.told });
  const { spool, intake, tell, troubles } = log;
  // Read once: windows are judged in the zone that the service knows.
  const zone = linkedZone(settings.environment) ?? ownZone();
  const health = healthSnapshots(settings, { run, ros, log });
  const services = agentServices(settings, {
    run,
    ros,
    log,
    zone,
    look: health.look,
    send: (frame) => link.send(frame),
  });
  const { rotation, orders, offer, drift, streams } = services;
  const link = serviceLink(settings, { run, log, zone, services, sample: health.sample, status: on.status });

  const origin = settings.lanes.releases.self?.isInstalled === false ? ', which came as a release,' : '';
  tell(`${run.agentVersion}${origin} started as process ${process.pid}`);
  let sources: readonly Source[] = [];
  let isStopped = false;
  // Before that, the positions of the sources are unknown.
  const begun = spool.opened.then(async () => {
    if (isStopped) return;
    const context = { intake, spool, tell, troubles };
    sources = [...ros.logs(context), ...(await startSources(settings, context))];
  });
  const ordersOpen = Promise.resolve(settings.stateIsOurs).then(orders.open, () => undefined);
  void ordersOpen.then(link.renewHello);
  const streamsKnown = streams.known.then(link.renewHello);
  await Promise.race([
    Promise.all([begun, ordersOpen, offer.look(), streamsKnown]),
    pause(diskWithinMs.start, undefined, { ref: false }),
  ]);
  link.start();

  async function stopServices(): Promise<void> {
    drift.stop();
    await Promise.all([orders.stop(), streams.stop(), ros.stop(), ...sources.map((source) => source.stop())]);
    tell('the agent was stopped');
    intake.close();
    await Promise.all([health.stop(), spool.close()]);
  }

  return {
    async stop() {
      isStopped = true;
      rotation.stop();
      await Promise.race([stopServices(), pause(diskWithinMs.stop, undefined, { ref: false })]);
      await link.stop();
    },
  };
}
