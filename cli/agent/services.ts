import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentFrame, Capabilities } from '../../generated/frames.js';
import { closedWindow, knownZone } from './gates/window.ts';
import { robotGates, type RobotState } from './gates/gates.ts';
import type { AgentLog } from './logs/agent-log.ts';
import { recordOf } from './logs/parse.ts';
import { handlerOf } from './orders/lanes.ts';
import { orderManager, type OrderManager } from './orders/order-manager.ts';
import { digestsOfUnchanged, driftWatch, type DriftWatch } from './releases/drift.ts';
import { runningOf } from './releases/kinds.ts';
import { releaseOffer, type InstallableKinds } from './releases/installable-kinds.ts';
import type { RosGraphs } from './ros/ros-graphs.ts';
import type { RunIdentity } from './run-identity.ts';
import type { AgentSettings } from './settings.ts';
import { signatureGate } from './signatures/gate.ts';
import { robotStreams, type RobotStreams } from './streams/robot-streams.ts';
import { tokenRotation, type TokenRotation } from './token-rotation.ts';

interface ServiceParts {
  run: RunIdentity;
  ros: RosGraphs;
  log: AgentLog;
  zone: string | undefined; // as in the hello
  /** Measures the robot now, for its gates. */
  look(): Promise<RobotState>;
  /** Returns false without a link. */
  send(frame: AgentFrame): boolean;
}

/** What the agent does for the service. */
export interface AgentServices {
  rotation: TokenRotation;
  orders: OrderManager;
  /** The kinds of releases that can be installed here. */
  offer: InstallableKinds;
  drift: DriftWatch;
  streams: RobotStreams;
  /** The current capabilities of this agent, for its hello. */
  capabilities(): Capabilities;
}

const cannotKeep = () => Promise.reject(new Error('it cannot be kept here'));
const keepsNone = { check: cannotKeep, keep: cannotKeep };
/** The maximum in a hello. */
const maxKinds = 100;

export function agentServices(
  settings: AgentSettings,
  { run, ros, log, zone, look, send }: ServiceParts,
): AgentServices {
  const { backendUrl, configDirectory, signedFor } = settings;
  const { intake, tell, troubles } = log;
  const socketOptions = { ...settings.socketOptions, userAgent: run.agentVersion };
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
    // Each request reads the current token.
    get token() {
      return rotation.token;
    },
    socketOptions,
    proxyFor: settings.proxyFor,
    troubles,
  };
  const lanes = { ...settings.lanes, releases: { ...settings.lanes.releases, bootId: run.bootId } };
  const gate = signedFor && signatureGate({ configDirectory, robot: signedFor });
  const { environment, stateDirectory } = settings;
  const gates = robotGates(settings.gates ?? {}, { look, folder: stateDirectory, environment });
  const orders = orderManager({
    folder: join(stateDirectory, 'orders'),
    payloads: source,
    handlerOf(task, step) {
      const make = () => handlerOf(lanes, source, task);
      return gate ? gate.guard(task, step, make) : make();
    },
    gates,
    closedWindow: ({ window }) => window && closedWindow(window, knownZone(zone)),
    send,
    tell,
    say: (source, line) => intake.offer(source, () => recordOf(source, line)),
  });
  const releases = { ...lanes.releases, source, digestOf: digestsOfUnchanged() };
  const offer = releaseOffer(releases, tell, troubles);
  const drift = driftWatch({
    // One folder per kind.
    installed: () => readdir(releases.folder).catch(() => []),
    orders,
    running: (kind, signal) => runningOf(releases, kind, signal),
    send,
  });
  const streams = robotStreams({ ...settings, ros, socketOptions }, { tell, troubles, send });
  return {
    rotation,
    orders,
    offer,
    drift,
    streams,
    capabilities() {
      const { kinds } = offer;
      return {
        logs: true,
        orders: orders.isOpen,
        gates: true,
        windows: true,
        ...(signedFor && { signed_only: true }),
        ...streams.capabilities,
        ...(kinds && { kinds: kinds.slice(0, maxKinds) }),
      };
    },
  };
}
