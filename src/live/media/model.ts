import type { Caller } from '../../kernel/caller.ts';

/** Kinds of streams that viewers share. */
export type WatchedKind = 'camera' | 'topic';

/** Which camera or topic of which robot. */
export interface StreamKey {
  orgId: string;
  robotId: string;
  kind: WatchedKind;
  name: string;
  source: string | undefined; // the ROS graph of a topic, if one was named
}

/** The same for all viewers of the same camera or topic. */
export const keyOf = ({ orgId, robotId, kind, name, source }: StreamKey): string =>
  JSON.stringify([orgId, robotId, kind, name, source]);

/** Maximum items per second; null for all. */
export type Rate = number | null;

/** A camera or topic that a viewer requests. */
export interface WatchRequest {
  subject: StreamKey;
  rate: Rate;
  tokenId: string;
  caller: Caller;
  requestId: string;
}

/** The ROS topics of a robot. */
export interface TopicList {
  topics: { name: string; type: string; source: string }[];
  nodes: string[];
  isCut: boolean;
}
