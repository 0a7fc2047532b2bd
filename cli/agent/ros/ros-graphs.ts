import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { HealthDiagnostics, HealthSnapshot } from '../../../generated/frames.js';
import type { Source, SourceContext } from '../sources/source.ts';
import type { StreamOpener } from '../streams/opener.ts';
import { rosAddress, type RosAddress } from './address.ts';
import { rosHealth } from './health.ts';
import { rosOpeners } from './openers.ts';
import { rosoutLog } from './rosout.ts';
import type { RosSource } from './source.ts';

/** The ROS graphs of this robot. */
export interface RosOffer {
  /** As `rosAddress` parses them. */
  urls: readonly string[];
  /** `ROS_HOSTNAME`, else `ROS_IP`, of the agent. */
  hostname?: string | undefined;
  /** Sends `/rosout` of each graph as a log. */
  sendsRosout: boolean;
  /** Includes batteries and diagnostics in the health. */
  tellsHealth: boolean;
}

export interface RosGraphs {
  /** In the order of the offer. */
  sources: readonly RosSource[];
  topic: StreamOpener | string;
  topics: StreamOpener | string;
  /** The health values from the graphs; undefined if they are not wanted. */
  health: { readonly measured: HealthSnapshot; readonly extra: Record<string, unknown> } | undefined;
  /** Starts the sources that read logs from the graphs. */
  logs(context: SourceContext): Source[];
  /** Leaves the graphs; resolves within 2 s. */
  stop(): Promise<void>;
}

/** Opens the graphs of this offer, of which there is at least one. */
export async function connectRosGraphs(offer: RosOffer, stateDirectory: string): Promise<RosGraphs> {
  const node = nodeName(stateDirectory);
  const addresses = [...new Map(offer.urls.map(rosAddress).map((each) => [each.url, each])).values()];
  const sources = await Promise.all(addresses.map((address) => openSource(address, node, offer.hostname)));
  const health = offer.tellsHealth ? rosHealth(sources) : undefined;
  return {
    ...rosOpeners(sources),
    sources,
    health: health && {
      get measured() {
        const { battery, diagnostics } = health;
        return { ...(battery && { battery }), ...(diagnostics && { diagnostics }) };
      },
      get extra() {
        return health.diagnostics ? { diagnostics: inExtra(health.diagnostics) } : {};
      },
    },
    logs: (context) => (offer.sendsRosout ? sources.map((source) => rosoutLog(source, context)) : []),
    async stop() {
      health?.stop();
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

/** The place and form of diagnostics up to release 0.1.0; clients of that release read them there. */
function inExtra({ ok, warn, error, stale, items = [] }: HealthDiagnostics): Record<string, unknown> {
  const worst = items.map(({ name, level, message = '' }) => {
    return { name: name.slice(0, 64), level, message: message.slice(0, 64) };
  });
  return { ok, warn, error, stale, ...(worst.length > 0 && { worst }) };
}

async function openSource(address: RosAddress, name: string, host: string | undefined): Promise<RosSource> {
  const { url } = address;
  if (address.kind === 'ros1')
    return (await import('./ros1.ts')).ros1Source({ url, master: address.master, name, hostname: host });
  if (address.kind === 'foxglove')
    return (await import('./foxglove.ts')).foxgloveSource({ url, socketUrl: address.socketUrl });
  return (await import('./rosbridge.ts')).rosbridgeSource({ url, socketUrl: address.socketUrl });
}

/**
 * The same at each start, and different for each agent of a graph: a new node shuts down another node of the same name.
 */
function nodeName(stateDirectory: string): string {
  const place = createHash('sha256').update(`${hostname()}\0${stateDirectory}`).digest('hex').slice(0, 8);
  return `/fleet_agent_${place}`;
}
