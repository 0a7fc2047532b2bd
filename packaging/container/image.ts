import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { nodePackage, type Arch } from '../node-binary.ts';
import { productVersion } from '../bundled-packages.ts';
import { makeReadable } from '../modes.ts';
import { stagePackage } from '../npm/stage.ts';
import { releaseEpoch } from '../release-date.ts';
import { copyService } from '../service-files.ts';

const run = promisify(execFile);

/** Of Debian: what Node is linked with. The first one has the licences of the other two of GCC. */
const libraries = ['gcc-12-base', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** Parts of these that Node does not use. */
const unused = ['usr/lib/*/gconv', 'usr/lib/*/audit', 'usr/share/gdb', 'usr/share/lintian', 'usr/share/gcc'];
const accounts = {
  'etc/passwd': 'root:x:0:0::/:/none\nfleet:x:10001:10001::/var/lib/fleet-control-service:/none\n',
  'etc/group': 'root:x:0:\nfleet:x:10001:\n',
};

/**
 * Builds the image of the service for the processor of this machine, with podman. Needs Debian 12's apt-get and dpkg-deb.
 * @param env of podman, such as for another store of images
 */
export async function buildImage(tag: string, env: Record<string, string> = {}): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'image-'));
  try {
    const staged = join(context, 'package');
    await stagePackage(staged);
    const root = join(context, 'root');
    const home = join(root, 'usr/lib/fleet-control-service');
    await mkdir(join(root, 'usr/bin'), { recursive: true });
    await mkdir(join(context, 'data'));
    await addLibraries(root, join(context, 'packages'));
    const node = await nodePackage(process.arch as Arch);
    await copyFile(join(node, 'bin/node'), join(root, 'usr/bin/node'));
    await chmod(join(root, 'usr/bin/node'), 0o755);
    await copyService(staged, home);
    await copyFile(join(import.meta.dirname, 'healthcheck.mjs'), join(home, 'healthcheck.mjs'));
    for (const name of ['LICENSE', 'THIRD-PARTY-LICENSES']) await copyFile(join(staged, name), join(home, name));
    await copyFile(join(node, 'LICENSE'), join(home, 'NODE-LICENSE'));
    await mkdir(join(root, 'etc'), { recursive: true });
    for (const [path, text] of Object.entries(accounts)) await writeFile(join(root, path), text);
    await mkdir(join(root, 'tmp'));
    await makeReadable(root);
    await chmod(join(root, 'tmp'), 0o1777);
    await rm(staged, { recursive: true });
    const labels = {
      title: 'fleet-control-service',
      description: 'Control plane for fleets of robots',
      version: await productVersion(),
      licenses: 'Apache-2.0',
    };
    const line = [
      // OCI's format has no health check.
      ...['build', '--quiet', '--format', 'docker', '--network', 'none', '--timestamp', releaseEpoch(), '--tag', tag],
      ...Object.entries(labels).flatMap(([key, value]) => ['--label', `org.opencontainers.image.${key}=${value}`]),
      ...['--file', join(import.meta.dirname, 'Containerfile'), context],
    ];
    await run('podman', line, { env: { ...process.env, ...env } });
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

/** The size of the image, compressed by gzip: about what a registry stores, and what a machine downloads. */
export async function compressedBytes(tag: string, env: Record<string, string> = {}): Promise<number> {
  const save = spawn('podman', ['save', '--quiet', tag], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bytes = 0;
  const counted = pipeline(save.stdout, createGzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) bytes += chunk.length;
  });
  const [[code]] = await Promise.all([once(save, 'close') as Promise<[number | null]>, counted]);
  if (code !== 0) throw new Error(`podman save ended with ${code}`);
  return bytes;
}

/** Builds the image of this version, and writes an archive that podman and Docker load. Returns its path. */
export async function packImage(folder: string, env: Record<string, string> = {}): Promise<string> {
  const version = await productVersion();
  const tag = `localhost/fleet-control-service:${version}`;
  await buildImage(tag, env);
  const file = join(folder, `fleet-control-service-image-${version}-${process.arch}.tar`);
  await mkdir(folder, { recursive: true });
  // The format in which it was built. Not compressed: podman 4.3 does not load it then.
  const line = ['save', '--quiet', '--format', 'docker-archive', '--output', file, tag];
  await run('podman', line, { env: { ...process.env, ...env } });
  return file;
}

/** Unpacks the libraries, verified by apt, and what scanners of images read about them. */
async function addLibraries(root: string, downloads: string): Promise<void> {
  await mkdir(downloads);
  await run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', ...libraries], { cwd: downloads });
  const described = join(root, 'var/lib/dpkg/status.d');
  await mkdir(described, { recursive: true });
  for (const name of (await readdir(downloads)).sort()) {
    const path = join(downloads, name);
    await run('dpkg-deb', ['--extract', path, root]);
    const { stdout } = await run('dpkg-deb', ['--field', path]);
    await writeFile(join(described, name.replace(/_.*/, '')), stdout);
  }
  await run('sh', ['-c', `rm -rf ${unused.join(' ')}`], { cwd: root });
}
