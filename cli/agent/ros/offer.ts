import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { HealthSnapshot } from '../../../generated/frames.js';
import type { Source, SourceContext } from '../sources/source.ts';
import type { StreamOpener } from '../streams/opener.ts';
import { rosAddress, type RosAddress } from './address.ts';
import type { RosSource } from './source.ts';

/** The ROS graphs of this robot. */
export interface RosOffer {
  /** As `rosAddress` takes them. */
  urls: readonly string[];
  /** `ROS_HOSTNAME`, else `ROS_IP`, of the agent. */
  hostname?: string | undefined;
  /** `/rosout` of each graph is a log. */
  sendsRosout: boolean;
  /** Batteries and diagnostics are in the health. */
  tellsHealth: boolean;
}

export interface RosGraphs {
  /** In the order of the offer. */
  sources: readonly RosSource[];
  topic: StreamOpener | string;
  topics: StreamOpener | string;
  /** What is told of the robot's health; undefined if that is not wanted. */
  health: { readonly measured: HealthSnapshot; readonly extra: Record<string, unknown> } | undefined;
  /** Starts what reads logs from the graphs. */
  logs(context: SourceContext): Source[];
  /** Leaves the graphs; resolves within 2 s. */
  stop(): Promise<void>;
}

const none = 'no ROS graph is configured on this robot';

/** `stateDirectory` tells this agent from others of its machine. What a graph is not asked for costs nothing: no driver is loaded. */
export async function openRosGraphs(offer: RosOffer | undefined, stateDirectory: string): Promise<RosGraphs> {
  if (!offer || offer.urls.length === 0)
    return { sources: [], topic: none, topics: none, health: undefined, logs: () => [], stop: async () => undefined };
  const node = nodeName(stateDirectory);
  const addresses = [...new Map(offer.urls.map(rosAddress).map((each) => [each.url, each])).values()];
  const sources = await Promise.all(addresses.map((address) => openSource(address, node, offer.hostname)));
  const { rosOpeners } = await import('./openers.ts');
  const { rosHealth } = await import('./health.ts');
  const { rosoutLog } = await import('./rosout.ts');
  const health = offer.tellsHealth ? rosHealth(sources) : undefined;
  return {
    ...rosOpeners(sources),
    sources,
    health: health && {
      get measured() {
        return health.battery ? { battery: health.battery } : {};
      },
      get extra() {
        return health.diagnostics ? { diagnostics: health.diagnostics } : {};
      },
    },
    logs: (context) => (offer.sendsRosout ? sources.map((source) => rosoutLog(source, context)) : []),
    async stop() {
      health?.stop();
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

async function openSource(address: RosAddress, name: string, host: string | undefined): Promise<RosSource> {
  const { url } = address;
  if (address.kind === 'ros1')
    return (await import('./ros1.ts')).ros1Source({ url, master: address.master, name, hostname: host });
  if (address.kind === 'foxglove')
    return (await import('./foxglove.ts')).foxgloveSource({ url, socketUrl: address.socketUrl });
  return (await import('./rosbridge.ts')).rosbridgeSource({ url, socketUrl: address.socketUrl });
}

/** The same at each start, and another one for each agent of a graph: a node throws out another of its name. */
function nodeName(stateDirectory: string): string {
  const place = createHash('sha256').update(`${hostname()}\0${stateDirectory}`).digest('hex').slice(0, 8);
  return `/fleet_agent_${place}`;
}
