import type { Ros1NodeSettings } from './ros1-node.ts';

/** The address of a ROS graph. */
export type RosAddress = { url: string } & (
  { kind: 'ros1'; master: Ros1NodeSettings['master'] } | { kind: 'foxglove' | 'rosbridge'; socketUrl: string }
);

const defaultPorts = { 'ros1:': 11_311, 'foxglove:': 8_765, 'rosbridge:': 9_090 } as const;
const isScheme = (text: string): text is keyof typeof defaultPorts => Object.hasOwn(defaultPorts, text);

/** Parses a value of `--ros`. @throws Error with a readable message, which never contains a password */
export function rosAddress(text: string): RosAddress {
  // `URL` parses the host only for web schemes.
  const [, scheme = '', rest = ''] = /^([a-z0-9]+:)\/\/(.*)$/i.exec(text) ?? [];
  const kind = scheme.toLowerCase();
  if (!isScheme(kind))
    throw new Error('a ROS graph is ros1://host:11311, foxglove://host:8765 or rosbridge://host:9090');
  let parsed: URL;
  try {
    parsed = new URL(`ws://${rest}`);
  } catch {
    throw new Error(`${kind}//… names no host`);
  }
  const { hostname, pathname, search, username, password } = parsed;
  const port = parsed.port === '' ? (/:80(\/|$)/.test(rest) ? 80 : defaultPorts[kind]) : Number(parsed.port);
  const host = `${hostname}:${port}`;
  const url = `${kind}//${host}${pathname === '/' ? '' : pathname}`;
  if (kind === 'ros1:') return { url, kind: 'ros1', master: { host: hostname.replace(/^\[(.*)\]$/, '$1'), port } };
  const credentials = username === '' && password === '' ? '' : `${username}:${password}@`;
  const socketUrl = `ws://${credentials}${host}${pathname}${search}`;
  return { url, kind: kind === 'foxglove:' ? 'foxglove' : 'rosbridge', socketUrl };
}

/** The graph that `ROS_MASTER_URI` names, as every ROS 1 program reads it; undefined when it names none. */
export function masterAddress(uri: string | undefined): string | undefined {
  if (uri === undefined || !/^http:\/\//i.test(uri) || !URL.canParse(uri)) return undefined;
  return rosAddress(`ros1://${new URL(uri).host}`).url;
}
