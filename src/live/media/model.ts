import type { Caller } from '../../kernel/caller.ts';

/** What many look at together. */
export type WatchedKind = 'camera' | 'topic';

/** Which camera or topic of which robot. */
export interface Subject {
  orgId: string;
  robotId: string;
  kind: WatchedKind;
  name: string;
  source: string | undefined; // the ROS graph of a topic, where one was named
}

/** The same for everybody who looks at the same thing. */
export const keyOf = ({ orgId, robotId, kind, name, source }: Subject): string =>
  JSON.stringify([orgId, robotId, kind, name, source]);

/** How much of it somebody wants: so many a second at most, null for all. */
export type Rate = number | null;

/** A camera or topic that a viewer asks for. */
export interface WatchRequest {
  subject: Subject;
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
