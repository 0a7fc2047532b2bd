import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { bundledPackages, loadedPackages, root } from './bundled-packages.ts';

/** CycloneDX, as far as it is read here. */
interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: { 'bom-ref': string; name: string } };
  components: { 'bom-ref': string; name: string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * The software bill of materials, in CycloneDX: what the built files contain and load. npm writes it of all that is installed; the
 * same tree gives the same bytes.
 */
export async function softwareBill(date: Date): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    ...{ cwd: root, maxBuffer: 64 * 1024 * 1024 },
  });
  const bom = JSON.parse(stdout) as Bom;
  const own = bom.metadata.component['bom-ref'];
  const contained = new Set((await bundledPackages()).map(({ name, version }) => `${name}@${version}`));
  const loaded = await loadedPackages();
  const components = bom.components.filter((each) => contained.has(each['bom-ref']) || loaded.has(each.name));
  const refs = new Set([own, ...components.map((each) => each['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  bom.metadata.timestamp = date.toISOString();
  bom.metadata.component.name = own.slice(0, own.lastIndexOf('@')); // npm has that of the folder
  const content = { ...bom, components, dependencies };
  return `${JSON.stringify({ ...content, serialNumber: serialNumber(JSON.stringify({ ...content, serialNumber: '' })) }, null, 2)}\n`;
}

/** A UUID of the content, where npm has one by chance. */
function serialNumber(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const variant = (8 + (parseInt(hex.charAt(16), 16) % 4)).toString(16);
  return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')}`;
}
