/** The part of the WebSocket document that is compared with the mounted paths. */
interface SocketsDocument {
  channels: Record<string, { address: string }>;
}

/** Sockets between replicas: no client opens them, and they accept no client token. */
const amongReplicas = '/internal/';

/** Parameter names do not count. */
const shape = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

/** @throws unless the document lists exactly the mounted WebSockets */
export function checkSocketsDocumented(document: SocketsDocument, paths: readonly string[]): void {
  const documented = Object.values(document.channels).map(({ address }) => address);
  const mounted = paths.filter((path) => !path.startsWith(amongReplicas));
  const lacks = (among: readonly string[]) => (path: string) => !among.map(shape).includes(shape(path));
  for (const path of mounted.filter(lacks(documented))) throw new Error(`${path} is mounted and not in /asyncapi.json`);
  for (const path of documented.filter(lacks(mounted))) throw new Error(`${path} is in /asyncapi.json and not mounted`);
}
