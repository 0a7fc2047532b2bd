import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledPackages, licenseTexts, readJson, root, type BundledPackage } from '../bundled-packages.ts';
import { nodePackage } from '../node-binary.ts';

/** What the bundles leave out and an executable contains: `jq` of the client, and terminals of both. */
const contained = ['@lydell/node-pty', 'jq-wasm'];

/** Node and all packages of others that executables contain, with the texts of their licenses. */
export async function executableLicenses(): Promise<string> {
  const more = contained.map(async (name): Promise<BundledPackage> => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = await readJson<{ version: string; license: string }>(
      `node_modules/${name}/package.json`,
    );
    return { name, version, license, folder };
  });
  const texts = await licenseTexts([...(await bundledPackages()), ...(await Promise.all(more))]);
  const ofNode = await readFile(join(await nodePackage('x64'), 'LICENSE'), 'utf8');
  return `${texts}\n${'-'.repeat(78)}\n\nNode.js\n\n${ofNode.trim()}\n`;
}
