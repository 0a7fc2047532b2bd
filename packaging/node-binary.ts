import { join } from 'node:path';
import { registryPackage, type RegistryPackage } from './registry-package.ts';

export type Arch = 'x64' | 'arm64';

/** Node of the packages that carry their own: the newest LTS that npm has for both processors. */
const nodeVersion = '24.21.0';

const integrity: Record<Arch, string> = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

const released = (arch: Arch): RegistryPackage => ({
  name: `node-linux-${arch}`,
  version: nodeVersion,
  integrity: integrity[arch],
});

/** For both processors. */
export const nodePackages: readonly RegistryPackage[] = [released('x64'), released('arm64')];

/**
 * The folder of Node's package for Linux from the npm registry, with `bin/node` and LICENSE.
 * @throws if the registry does not have the file that was released
 */
export const nodePackage = (arch: Arch, cache?: string): Promise<string> => registryPackage(released(arch), cache);

/** The path of Node's program for Linux. */
export const nodeBinary = async (arch: Arch, cache?: string): Promise<string> =>
  join(await nodePackage(arch, cache), 'bin/node');
