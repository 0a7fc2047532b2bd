import { chmod, copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execFileSync } from 'node:child_process';
import type { Arch } from '../node-binary.ts';
import { registryPackage } from '../registry-package.ts';
import { copyService } from '../service-files.ts';

export type PackageName = 'fleet-agent' | 'fleet-control-service';

interface Contents {
  name: PackageName;
  arch: Arch;
  version: string; // Debian's form of it
  staged: string; // the folder of the released npm package
  node: string; // the folder of Node's package
  date: Date;
}

const maintainer = 'Fleet control service <security@fleet-control-service.invalid>';
const gecos: Record<PackageName, string> = {
  'fleet-agent': 'Fleet agent',
  'fleet-control-service': 'Fleet control service',
};
const executables: Record<PackageName, readonly [file: string, folder: string][]> = {
  'fleet-agent': [['fleet-agent', 'usr/bin']],
  'fleet-control-service': [
    ['fleet-control-service', 'usr/bin'],
    ['fleet-cli', 'usr/bin'],
    ['is-configured', 'usr/lib/fleet-control-service'],
  ],
};
const here = import.meta.dirname;
const repository = join(here, '../..');

/** package.json of a folder. */
export const readManifest = async (folder: string): Promise<{ version: string }> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };

type Write = (to: string, content: string | Buffer, mode?: number) => Promise<void>;

/** Writes what dpkg-deb packs: the files of the package below `root`, and its control files in `DEBIAN`. */
export async function writeTree(root: string, contents: Contents): Promise<void> {
  const { name, staged, node } = contents;
  const own = join(here, name);
  const home = join(root, 'usr/lib', name);
  const write: Write = async (to, content, mode = 0o644) => {
    const path = join(root, to);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    await chmod(path, mode);
  };
  await mkdir(home, { recursive: true });
  if (name === 'fleet-agent') {
    await copyFile(join(staged, 'dist/agent.mjs'), join(home, 'agent.mjs'));
    await copyTerminal(join(home, 'node_modules'), contents.arch);
  } else await copyService(staged, home);
  await writeDocumentation(contents, write);
  // No file of these is started by its name, whatever it says, and whatever the umask of who builds it.
  execFileSync('find', [join(root, 'usr'), '-type', 'f', '-exec', 'chmod', '0644', '{}', '+']);
  await copyFile(join(node, 'bin/node'), join(home, 'node'));
  await chmod(join(home, 'node'), 0o755);
  for (const [file, to] of executables[name]) await write(join(to, file), await readFile(join(own, file)), 0o755);
  if (name === 'fleet-control-service')
    await write(`usr/lib/${name}/defaults.env`, await readFile(join(own, 'defaults.env')));
  await write(`lib/systemd/system/${name}.service`, await readFile(join(own, `${name}.service`)));
  await write(`etc/${name}/environment`, await readFile(join(own, 'environment')), 0o640);
  await writeControl(root, contents, write);
  execFileSync('find', [root, '-type', 'd', '-exec', 'chmod', '0755', '{}', '+']);
}

async function writeDocumentation({ name, version, staged, node, date }: Contents, write: Write): Promise<void> {
  const folder = `usr/share/doc/${name}`;
  const packed = (content: string | Buffer) => gzipSync(content, { level: 9 });
  await write(`${folder}/copyright`, await readFile(join(here, 'copyright')));
  await write(`${folder}/node-license.gz`, packed(await readFile(join(node, 'LICENSE'))));
  await write(`${folder}/third-party-licenses.gz`, packed(await readFile(join(staged, 'THIRD-PARTY-LICENSES'))));
  await write(`${folder}/NEWS.gz`, packed(await readFile(join(staged, 'CHANGELOG.md'))));
  const entry = `${name} (${version}) stable; urgency=medium\n\n  * Changes are in NEWS.gz.\n\n`;
  const day = date.toUTCString().replace('GMT', '+0000');
  await write(`${folder}/changelog.gz`, packed(`${entry} -- ${maintainer}  ${day}\n`));
}

async function writeControl(root: string, contents: Contents, write: Write): Promise<void> {
  const { name, arch, version } = contents;
  const own = join(here, name);
  const size = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0];
  const control = [
    ...[`Package: ${name}`, `Version: ${version}`, `Architecture: ${arch === 'x64' ? 'amd64' : 'arm64'}`],
    ...[`Maintainer: ${maintainer}`, 'Section: net', 'Priority: optional', `Installed-Size: ${size}`],
    await readFile(join(own, 'control'), 'utf8'),
  ];
  await write('DEBIAN/control', control.join('\n'));
  await write('DEBIAN/conffiles', `/etc/${name}/environment\n`);
  const configure = await readFile(join(own, 'configure'), 'utf8');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    const template = await readFile(join(here, 'scripts', script), 'utf8');
    const filled = template
      .replace('  @CONFIGURE@\n', () => configure.replaceAll(/^(?=.)/gm, '  '))
      .replaceAll('@NAME@', name)
      .replaceAll('@GECOS@', gecos[name]);
    await write(`DEBIAN/${script}`, filled, 0o755);
  }
}

/** The library of terminals, for another processor than that of this machine too, in the version that was tested. */
async function copyTerminal(folder: string, arch: Arch): Promise<void> {
  const lock = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  for (const name of ['@lydell/node-pty', `@lydell/node-pty-linux-${arch}`]) {
    const entry = lock.packages[`node_modules/${name}`];
    if (!entry) throw new Error(`package-lock.json has no ${name}`);
    await cp(await registryPackage({ name, ...entry }), join(folder, name), { recursive: true });
  }
}
