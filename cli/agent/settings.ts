import type { SocketOptions } from '../transport/link-socket.ts';
import type { LinkSettings, LinkStatus } from './link.ts';
import type { GateSettings } from './gates/gates.ts';
import type { LaneSettings } from './orders/lanes.ts';
import type { RosOffer } from './ros/ros-graphs.ts';
import type { SignedFor } from './signatures/gate.ts';
import type { SourceSettings } from './sources/start.ts';
import type { StreamOffers } from './streams/robot-streams.ts';
import type { RotationSettings } from './token-rotation.ts';

export interface AgentSettings extends SourceSettings, StreamOffers {
  /** Without a trailing slash. */
  backendUrl: string;
  token: string;
  /** Stores another token in place of that one. Default: the token is never replaced. */
  tokenKeeper?: Pick<RotationSettings, 'check' | 'keep'> | undefined;
  /** The version of this program. */
  version: string;
  /** The folder of the spool and the journal of orders; created if missing. */
  stateDirectory: string;
  /** Resolves when the agent may use the state directory; default: at once. */
  stateIsOurs?: Promise<void> | undefined;
  /** How orders are carried out, and where. */
  lanes: LaneSettings;
  /** What must hold before an order may disturb the robot. Default: nothing. */
  gates?: GateSettings | undefined;
  /** Orders must be signed for this robot, by a key of `signers.json`. Default: signatures are not checked. */
  signedFor?: SignedFor | undefined;
  /** The folder that may contain `health.d` and `signers.json`. */
  configDirectory: string;
  /** 1 to 3,600; default: the service's proposal. */
  heartbeatSeconds?: number | undefined;
  /** Between runs of the programs in `health.d`, 1 to 3,600; default: 60. */
  healthSeconds?: number | undefined;
  spoolMegabytes: number;
  socketOptions: SocketOptions;
  /** The proxy for other hosts, from which artifacts may come; default none. */
  proxyFor?: ((url: URL) => URL | undefined) | undefined;
  /** Graphs whose topics users may read. Default: none. */
  ros?: RosOffer | undefined;
  /**
   * Changes with each boot of the machine. Default: the kernel's boot id; if that is unknown, each run counts as a
   * boot.
   */
  bootId?: string | undefined;
  /** As for the link; default: as in the protocol. */
  silence?: LinkSettings['silence'];
}

export interface AgentListener {
  /** Called when the state of the link changes, until it has ended. */
  status(status: LinkStatus): void;
  /** Reports a problem on the robot, or its end; both are in the logs too. */
  told(level: 'warn' | 'info', message: string): void;
}
