import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodePackage, type Arch } from '../node-binary.ts';
import { stagePackage } from '../npm/stage.ts';
import { releaseEpoch } from '../release-date.ts';
import { readManifest, writeTree, type PackageName } from './tree.ts';

interface Options {
  /** Default: both packages in the version of package.json, for both processors, and the smallest files. */
  names?: readonly PackageName[];
  version?: string;
  arches?: readonly Arch[];
  compression?: readonly string[];
}

/** dpkg-deb of Debian 11 and Ubuntu 20.04 reads xz. In one thread, since their number would change the bytes. */
const smallest = ['-Zxz', '-z6', '--threads-max=1'];

/** Writes `<package>_<version>_<architecture>.deb` for both packages into the folder, and returns their paths. */
export async function buildDebianPackages(folder: string, options: Options = {}): Promise<string[]> {
  const {
    names = ['fleet-agent', 'fleet-control-service'],
    arches = ['x64', 'arm64'],
    compression = smallest,
  } = options;
  const work = await mkdtemp(join(tmpdir(), 'debian-'));
  try {
    const staged = join(work, 'package');
    await stagePackage(staged);
    const version = debianVersion(options.version ?? (await readManifest(staged)).version);
    const SOURCE_DATE_EPOCH = releaseEpoch();
    await mkdir(folder, { recursive: true });
    const build = async (name: PackageName, arch: Arch): Promise<string> => {
      const root = join(work, `${name}-${arch}`);
      const node = await nodePackage(arch);
      await writeTree(root, { name, arch, version, staged, node, date: new Date(Number(SOURCE_DATE_EPOCH) * 1_000) });
      const line = ['--root-owner-group', ...compression, '--build', root, folder];
      const { stdout } = await promisify(execFile)('dpkg-deb', line, { env: { ...process.env, SOURCE_DATE_EPOCH } });
      await rm(root, { recursive: true });
      return join(folder, /([^/']+\.deb)'/.exec(stdout)?.[1] ?? '');
    };
    const paths: string[] = [];
    // Each is compressed in one thread, so those of all processors are built at once.
    for (const name of names) paths.push(...(await Promise.all(arches.map((arch) => build(name, arch)))));
    return paths;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A prerelease sorts before its release: `1.0.0-rc.1` is `1.0.0~rc.1`. */
const debianVersion = (version: string): string => version.replace('-', '~');
