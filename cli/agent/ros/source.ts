interface RosTopic {
  name: string; // with its slash
  type: string; // as `sensor_msgs/Imu`, also where ROS 2 says `sensor_msgs/msg/Imu`
}

export interface RosListener {
  /** Asked before each message is decoded, which costs more than all else; what no listener wants is skipped. Default: each is wanted. */
  wants?(): boolean;
  /** One message, decoded: numbers, texts, bigint, typed arrays, objects of these. `receivedMs` by this machine's clock. */
  message(type: string, message: unknown, receivedMs: number): void;
  /** What a person should know meanwhile: nobody publishes, the type changed, the connection was lost and is tried again. */
  status(level: 'info' | 'warn', message: string): void;
}

/** One ROS graph, by one of its three ways in. It connects when it is first asked, and again by itself after a loss. */
export interface RosSource {
  /** As it was given, without a password. */
  readonly url: string;
  /** @throws Error with a sentence where the graph does not answer in time */
  listTopics(): Promise<RosTopic[]>;
  listNodes(): Promise<string[]>;
  /** The function that it gives ends it. One upstream subscription serves all listeners of a topic. */
  subscribe(topic: string, on: RosListener): () => void;
  /** Leaves the graph: no node of ours stays behind. Resolves within 2 s. */
  close(): Promise<void>;
}

/** Larger messages are skipped, unread: so much may be in memory for each topic. */
export const maxRosMessageBytes = 16 * 1024 * 1024;
/** How long a publisher may be silent before people are told. */
export const silentAfterMs = 5_000;
/** How long a graph may take to answer a question. */
export const answerWithinMs = 5_000;

/** Of messages whose type nobody tells. */
export const unknownType = 'unknown/unknown';

/** The type as ROS 1 writes it, and our records, which are told from words by its slash. Programs without ROS name theirs as they like. */
export function plainType(type: string): string {
  if (type === '') return unknownType;
  return type.includes('/') ? type.replace(/^([^/]+)\/msg\//, '$1/') : `unknown/${type}`;
}

/** @throws Error that says `what`, if it takes longer */
export async function answered<T>(work: Promise<T>, what: string, withinMs: number = answerWithinMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not answer in ${withinMs / 1000} s`)), withinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
