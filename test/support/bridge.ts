import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { startLoopback } from './loopback.ts';

/** A network between this machine and members that have ports of their own, without a way to any other network. */
export interface Bridge extends AsyncDisposable {
  /** The address of this machine in it. */
  address: string;
  /** A new member: its address, and its network as a value of `podman run --network`. */
  join(): Promise<{ address: string; network: string }>;
}

/** Needs root and `ip`. podman's own networks need iptables, which a machine may lack. */
export async function startBridge(): Promise<Bridge> {
  const run = (...words: string[]) => promisify(execFile)(words[0] ?? '', words.slice(1));
  const bridge = `fleet${randomInt(100_000, 1_000_000)}`;
  const subnet = `10.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const members: AsyncDisposable[] = [];
  await run('ip', 'link', 'add', bridge, 'type', 'bridge');
  await run('ip', 'address', 'add', `${subnet}.1/24`, 'dev', bridge);
  await run('ip', 'link', 'set', bridge, 'up');
  return {
    address: `${subnet}.1`,
    async join() {
      const member = await startLoopback();
      members.push(member);
      const address = `${subnet}.${members.length + 1}`;
      const end = `${bridge}-${members.length}`;
      const { namespace, words } = member;
      await run('ip', 'link', 'add', end, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await run('ip', 'link', 'set', end, 'master', bridge, 'up');
      await run(...words, 'ip', 'address', 'add', `${address}/24`, 'dev', 'eth0');
      await run(...words, 'ip', 'link', 'set', 'eth0', 'up');
      return { address, network: `ns:${namespace}` };
    },
    async [Symbol.asyncDispose]() {
      // A container may still run in the network of a member: without its end here it is no member any more.
      const links = [...members.keys()].map((index) => `${bridge}-${index + 1}`);
      for (const link of [...links, bridge]) await run('ip', 'link', 'delete', link).catch(() => undefined);
      for (const member of members) await member[Symbol.asyncDispose]();
    },
  };
}
