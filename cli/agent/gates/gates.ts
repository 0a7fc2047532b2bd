import { statfs } from 'node:fs/promises';
import type { HealthSnapshot, Order, OrderWait } from '../../../generated/frames.js';
import { runCommand } from '../orders/command.ts';
import { cutText } from '../orders/text.ts';

/** What must hold before an order may disturb the robot. An absent gate is open. */
export interface GateSettings {
  /** Least charge of the battery. */
  batteryPercent?: number | undefined;
  /** The robot is in its dock, or is being charged. */
  docked?: boolean | undefined;
  /** The robot has no mission. */
  noMission?: boolean | undefined;
  /** No emergency stop is active. */
  noEstop?: boolean | undefined;
  /** Least free disk space beside the downloaded artifact, in MB of 10^6 bytes. */
  freeMegabytes?: number | undefined;
  /** Run by the shell. Exit code 0 opens the gate; its first line of stdout is the reason otherwise. */
  command?: string | undefined;
  /** Time limit of `command`. Default: 10. */
  commandSeconds?: number | undefined;
}

/** What is known of the robot at this moment. */
export type RobotState = Pick<HealthSnapshot, 'battery' | 'docked' | 'estop' | 'mission'>;

interface GateParts {
  /** Measures now. */
  look(): Promise<RobotState>;
  /** Where artifacts are stored; its file system is checked. */
  folder: string;
  /** The whole environment of `command`, but for the variables of the order. */
  environment: Readonly<Record<string, string>>;
}

/** The first closed gate, in the order of the settings; undefined if all are open. `signal` ends the command early. */
export type Gates = (order: Order, signal: AbortSignal) => Promise<OrderWait | undefined>;

const defaultCommandSeconds = 10;
const reasonBytes = 200;
/** States of a mission in which the robot does nothing that a person expects it to finish. */
const atRest: readonly string[] = ['idle', 'charging', 'failed'];

/** Gates of the robot. A value that is unknown keeps its gate closed. */
export function robotGates(settings: GateSettings, { look, folder, environment }: GateParts): Gates {
  const { batteryPercent, docked, noMission, noEstop, freeMegabytes, command } = settings;
  const looks = [batteryPercent, docked, noMission, noEstop].some((gate) => gate !== undefined && gate !== false);

  function closedByState({ battery, docked: isDocked, estop, mission }: RobotState): OrderWait | undefined {
    const percent = battery?.percent;
    if (batteryPercent !== undefined && !(percent !== undefined && percent >= batteryPercent))
      return wait(
        'battery',
        `${percent === undefined ? 'unknown' : `${Math.floor(percent)} %`}, needs ${batteryPercent} %`,
      );
    const isIn = isDocked ?? battery?.charging;
    if (docked && isIn !== true) return wait('docked', isIn === undefined ? 'unknown' : 'not docked');
    if (noMission && !(mission && atRest.includes(mission.state)))
      return wait('mission', mission ? [mission.state, mission.name ?? mission.id ?? []].flat().join(': ') : 'unknown');
    if (noEstop && estop !== false) return wait('estop', estop ? 'active' : 'unknown');
    return undefined;
  }

  async function closedByDisk(): Promise<OrderWait | undefined> {
    if (freeMegabytes === undefined) return undefined;
    const { bavail, bsize } = await statfs(folder);
    const free = Math.floor((bavail * bsize) / 1e6);
    return free >= freeMegabytes ? undefined : wait('disk', `${free} MB free, needs ${freeMegabytes} MB`);
  }

  async function closedByCommand(order: Order, signal: AbortSignal): Promise<OrderWait | undefined> {
    if (command === undefined) return undefined;
    const end = await runCommand({
      command: '/bin/sh',
      args: ['-c', command],
      environment: {
        ...environment,
        SVC_ORDER_ID: order.order_id,
        SVC_LANE: order.lane,
        SVC_DEPLOYMENT_IDS: order.deployments.join(' '),
      },
      timeoutMs: (settings.commandSeconds ?? defaultCommandSeconds) * 1_000,
      signal,
      outputBytes: reasonBytes * 4,
      onLine: () => undefined,
    });
    if (end.code === 0) return undefined;
    return wait('command', end.output.split('\n')[0]?.trim() || end.text);
  }

  return async (order, signal) =>
    (looks ? closedByState(await look()) : undefined) ?? (await closedByDisk()) ?? closedByCommand(order, signal);
}

const wait = (holder: string, reason: string): OrderWait => ({ holder, reason: cutText(reason, reasonBytes) });
