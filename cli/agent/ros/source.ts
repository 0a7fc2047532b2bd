interface RosTopic {
  name: string; // with the leading slash
  type: string; // such as `sensor_msgs/Imu`, also where ROS 2 says `sensor_msgs/msg/Imu`
}

export interface RosListener {
  /**
   * Called before each message is decoded, which costs the most; a message that no listener wants is skipped. Default:
   * all are wanted.
   */
  wants?(): boolean;
  /**
   * One decoded message: numbers, strings, bigints, typed arrays, and objects of these. `receivedMs` is by this
   * machine's clock.
   */
  message(type: string, message: unknown, receivedMs: number): void;
  /** What a viewer should know: there is no publisher, the type changed, or the connection was lost and is retried. */
  status(level: 'info' | 'warn', message: string): void;
}

/** One ROS graph, over one of three protocols. It connects on the first call, and reconnects by itself. */
export interface RosSource {
  /** As configured, without a password. */
  readonly url: string;
  /** @throws Error with a readable message when the graph does not respond in time */
  listTopics(): Promise<RosTopic[]>;
  listNodes(): Promise<string[]>;
  /** The returned function ends the subscription. One upstream subscription serves all listeners of a topic. */
  subscribe(topic: string, on: RosListener): () => void;
  /** Leaves the graph: no node of this agent remains. Resolves within 2 s. */
  close(): Promise<void>;
}

/** Larger messages are skipped unread: each topic may hold this much in memory. */
export const maxRosMessageBytes = 16 * 1024 * 1024;
/** How long a publisher may be silent before viewers get a status. */
export const silentAfterMs = 5_000;
/** How long a graph may take to respond to a request. */
export const answerWithinMs = 5_000;

/** For messages of unknown type. */
export const unknownType = 'unknown/unknown';

/**
 * The type as ROS 1 and our records write it; the slash distinguishes it from plain words. Programs without ROS may use
 * any name.
 */
export function plainType(type: string): string {
  if (type === '') return unknownType;
  return type.includes('/') ? type.replace(/^([^/]+)\/msg\//, '$1/') : `unknown/${type}`;
}

/** @throws Error that names `what`, when it takes longer */
export async function answered<T>(work: Promise<T>, what: string, withinMs: number = answerWithinMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not respond within ${withinMs / 1000} s`)), withinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
