import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { testWith } from './tools.ts';
import { until } from './until.ts';

const run = promisify(execFile);
export const realPodman = '/usr/bin/podman';
const [busybox, registry] = ['/bin/busybox', '/usr/bin/docker-registry'];

/** A test that runs containers, which needs root. */
export const testWithPodman = testWith('root', 'podman', 'busybox', 'docker-registry');

/** The lines of an image that prints `what` and runs until it is stopped. */
export const runs = (what: string) =>
  `CMD ["/bin/sh", "-c", "trap 'exit 0' TERM; echo ${what}; while :; do /bin/busybox sleep 1 & wait; done"]`;

/** podman with its own store, on a machine as limited as those that run tests. */
export interface Podman extends AsyncDisposable {
  /** Makes programs use that store. */
  env: Record<string, string>;
  /** Returns its output. Rejects unless it ends with 0. */
  podman(...args: string[]): Promise<string>;
  /**
   * Builds an image without a network and returns it in the format of `podman save`. `lines`: of its Dockerfile, after
   * a base with /bin/busybox and /bin/sh; `alien`, a program for another machine, may be copied.
   */
  archive(name: string, lines: string, format?: 'docker-archive' | 'oci-archive'): Promise<Buffer>;
  /** A registry with one image of these lines; returns `name@sha256:<hex>`. */
  serve(lines: string): Promise<{ reference: string } & AsyncDisposable>;
  /** Removes all containers, and all images except base images. */
  clear(): Promise<void>;
  /** All containers as `name state`, sorted by name. */
  containers(): Promise<string[]>;
  /** Hex ids of all images except intermediate ones. */
  images(): Promise<string[]>;
}

/**
 * - runc without its own limits: crun does not support mixed cgroups, and a container may not raise limits.
 * - vfs: a file system over another one needs rights that a container may lack. cgroupfs: systemd may be missing.
 */
export async function startPodman(): Promise<Podman> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-podman-'));
  const config = join(folder, 'containers.conf');
  const storage = join(folder, 'storage.conf');
  const registries = join(folder, 'registries.conf');
  await writeFile(
    config,
    [
      '[containers]',
      'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]',
      'log_driver = "k8s-file"',
      '[engine]',
      'runtime = "runc"',
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      'lock_type = "file"',
      `tmp_dir = "${folder}/tmp"`,
      '[network]',
      'network_backend = "netavark"',
    ].join('\n'),
  );
  await writeFile(
    storage,
    ['[storage]', 'driver = "vfs"', `graphroot = "${folder}/graph"`, `runroot = "${folder}/run"`].join('\n'),
  );
  const insecure = '[[registry]]\nlocation = "127.0.0.1"\ninsecure = true\n';
  await writeFile(registries, insecure);
  const env = { CONTAINERS_CONF: config, CONTAINERS_STORAGE_CONF: storage, CONTAINERS_REGISTRIES_CONF: registries };

  async function podman(...args: string[]): Promise<string> {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return (await run(realPodman, args, options)).stdout;
  }

  const base = 'localhost/base';

  async function build(name: string, context: string, dockerfile: string): Promise<void> {
    await writeFile(join(context, 'Dockerfile'), dockerfile);
    await podman('build', '--quiet', '--format', 'docker', '--network', 'none', '--tag', name, context);
  }

  const context = join(folder, 'context');
  await mkdir(context);
  await copyFile(busybox, join(context, 'busybox'));
  const alien = await readFile(busybox);
  // The machine in the head of an ELF file: one that does not exist.
  alien.writeUInt16LE(0xfffe, 18);
  await writeFile(join(context, 'alien'), alien, { mode: 0o755 });
  await build(base, context, 'FROM scratch\nCOPY busybox /bin/busybox\nCOPY busybox /bin/sh\n');

  const made: Podman = {
    env,
    podman,
    async archive(name, lines, format = 'docker-archive') {
      const path = join(folder, 'image.tar');
      await build(name, context, `FROM ${base}\n${lines}\n`);
      await rm(path, { force: true });
      await podman('save', '--quiet', '--format', format, '--output', path, name);
      await podman('rmi', name);
      return readFile(path);
    },
    async containers() {
      // Including those unknown to the engine, such as a partly created container.
      const list = await podman('ps', '--all', '--external', '--format', 'json');
      const all = JSON.parse(list) as { Names: string[]; State: string }[];
      return all.map(({ Names: [name], State: state }) => `${name} ${state}`).toSorted();
    },
    async images() {
      const list = await podman('images', '--no-trunc', '--quiet', '--filter', 'dangling=false');
      const ids = new Set(list.split('\n').filter(Boolean));
      ids.delete((await podman('images', '--no-trunc', '--quiet', base)).trim());
      return [...ids].map((id) => id.replace('sha256:', '')).toSorted();
    },
    async serve(lines) {
      const address = `127.0.0.1:${await freePort()}`;
      const config = join(folder, 'registry.yml');
      const settings = ['version: 0.1', 'storage:', '  filesystem:', `    rootdirectory: ${folder}/registry`];
      await writeFile(config, [...settings, 'http:', `  addr: ${address}`, ''].join('\n'));
      const server = spawn(registry, ['serve', config], { stdio: 'ignore' });
      const ended = new Promise((resolve) => server.on('close', resolve));
      const name = `${address}/nav`;
      await build(name, context, `FROM ${base}\n${lines}\n`);
      await until(async () => (await fetch(`http://${address}/v2/`)).ok);
      await podman('push', '--quiet', '--digestfile', join(folder, 'digest'), name);
      await podman('rmi', name);
      return {
        reference: `${name}@${await readFile(join(folder, 'digest'), 'utf8')}`,
        async [Symbol.asyncDispose]() {
          server.kill();
          await ended;
        },
      };
    },
    async clear() {
      await podman('rm', '--all', '--force', '--time', '0');
      for (const id of await made.images()) await podman('rmi', '--force', id);
    },
    async [Symbol.asyncDispose]() {
      await podman('rm', '--all', '--force', '--time', '0').catch(() => undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
  return made;
}
