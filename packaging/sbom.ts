import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { bundledPackages, root } from './bundled-packages.ts';
import { nodePackages } from './node-binary.ts';
import { releasedDependencies } from './npm/stage.ts';
import type { RegistryPackage } from './registry-package.ts';

interface Component {
  'bom-ref': string;
  name: string;
}

/** CycloneDX, as far as it is read here. */
interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: { 'bom-ref': string; name: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * The software bill of materials of all files of a release, in CycloneDX: what is built in, the packages beside it with theirs, and
 * Node. Without the Debian libraries of the image, which has a list of its own. npm writes it of all that is installed; the same tree
 * gives the same bytes.
 */
export async function softwareBill(date: Date): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const bom = JSON.parse(stdout) as Bom;
  const own = bom.metadata.component['bom-ref'];
  const contained = new Set((await bundledPackages()).map(({ name, version }) => `${name}@${version}`));
  const beside = await packagesBeside(bom);
  const packages = bom.components.filter((each) => contained.has(each['bom-ref']) || beside.has(each['bom-ref']));
  const components = [...packages, ...nodePackages.map(nodeComponent)];
  const refs = new Set([own, ...packages.map((each) => each['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  bom.metadata.timestamp = date.toISOString();
  bom.metadata.component.name = own.slice(0, own.lastIndexOf('@')); // npm has that of the folder
  const content = { ...bom, components, dependencies };
  return `${JSON.stringify({ ...content, serialNumber: serialNumber(JSON.stringify({ ...content, serialNumber: '' })) }, null, 2)}\n`;
}

/** What npm installs beside the released package, for all platforms, and all that it depends on: as `name@version`. */
async function packagesBeside({ components, dependencies }: Bom): Promise<Set<string>> {
  const released = await releasedDependencies();
  const names = new Set(Object.values(released).flatMap((each) => Object.keys(each)));
  const found = new Set(components.filter(({ name }) => names.has(name)).map((each) => each['bom-ref']));
  const dependsOn = new Map(dependencies.map((each) => [each.ref, each.dependsOn ?? []]));
  // A set gives what is added to it meanwhile too.
  for (const ref of found) for (const each of dependsOn.get(ref) ?? []) found.add(each);
  return found;
}

/** Node, which executables, Debian packages and the image contain. */
const nodeComponent = ({ name, version, integrity }: RegistryPackage): Component & Record<string, unknown> => ({
  'bom-ref': `${name}@${version}`,
  type: 'platform',
  name,
  version,
  // Scanners know its vulnerabilities by this name.
  cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
  purl: `pkg:npm/${name}@${version}`,
  hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  licenses: [{ license: { id: 'MIT' } }],
});

/** A UUID of the content, where npm has one by chance. */
function serialNumber(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const variant = (8 + (parseInt(hex.charAt(16), 16) % 4)).toString(16);
  return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')}`;
}
