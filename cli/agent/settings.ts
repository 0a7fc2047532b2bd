import type { SocketOptions } from '../transport/link-socket.ts';
import type { LinkSettings, LinkStatus } from './link.ts';
import type { LaneSettings } from './orders/lanes.ts';
import type { RosOffer } from './ros/offer.ts';
import type { SignedFor } from './signatures/gate.ts';
import type { SourceSettings } from './sources/start.ts';
import type { StreamOffers } from './streams/robot-streams.ts';
import type { RotationSettings } from './token-rotation.ts';

export interface AgentSettings extends SourceSettings, StreamOffers {
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

export interface AgentListener {
  /** Hears of the link, until it ended. */
  status(status: LinkStatus): void;
  /** What goes wrong on the robot, and that it is over; it is in the logs too. */
  told(level: 'warn' | 'info', message: string): void;
}
