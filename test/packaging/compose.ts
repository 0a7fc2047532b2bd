import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { extract } from 'tar';
import { parse } from 'yaml';
import { packCompose } from '../../packaging/archives.ts';
import { tempDir } from '../support/temp-dir.ts';

/** A service as `docker-compose config` prints it. */
export interface ComposeService {
  image: string;
  environment?: Record<string, string>;
  /** `<path of the machine or name>:<path>:<mode>` */
  volumes?: string[];
  profiles?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  /** Such as `30s`. */
  stop_grace_period?: string;
}

export type ComposeServices = Record<string, ComposeService>;

/** The released folder of the compose file. */
export interface ComposeFolder extends AsyncDisposable {
  path: string;
  /** Writes `.env` as its script does. @throws what the script says if it fails */
  makeEnv(): void;
  /** With the values of `.env`. @throws what docker-compose says if it refuses the file */
  services(): ComposeServices;
}

export async function unpackCompose(): Promise<ComposeFolder> {
  const work = await tempDir();
  const archive = await packCompose(work.path);
  await extract({ file: archive, cwd: work.path });
  const path = archive.replace(/\.tar\.gz$/, '');
  return {
    path,
    makeEnv: () => void execFileSync('sh', [join(path, 'make-env.sh')], { stdio: 'pipe' }),
    services() {
      const text = execFileSync('docker-compose', ['config'], { cwd: path, encoding: 'utf8', stdio: 'pipe' });
      return (parse(text) as { services: ComposeServices }).services;
    },
    [Symbol.asyncDispose]: () => work[Symbol.asyncDispose](),
  };
}

/** What of a service is for those that start it, in place of compose: its place in the network and when it starts. */
const ofCompose = new Set(['image', 'depends_on', 'ports', 'profiles', 'restart']);

/** The flags by which `podman run` does what a service asks for. @throws if it asks for more than this knows */
export function podmanFlags(service: ComposeService): string[] {
  const { stop_grace_period: grace } = service;
  const flags = {
    environment: Object.entries(service.environment ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    volumes: each('--volume', service.volumes),
    read_only: service.read_only === true ? ['--read-only'] : [],
    tmpfs: each('--tmpfs', service.tmpfs),
    cap_drop: each('--cap-drop', service.cap_drop),
    security_opt: each('--security-opt', service.security_opt),
    stop_grace_period: grace === undefined ? [] : ['--stop-timeout', grace.replace(/s$/, '')],
  } satisfies Partial<Record<keyof ComposeService, string[]>>;
  const unknown = Object.keys(service).filter((key) => !(key in flags) && !ofCompose.has(key));
  if (unknown.length > 0) throw new Error(`no flag of podman is known for ${unknown.join(', ')}`);
  return Object.values(flags).flat();
}

const each = (flag: string, values: readonly string[] = []) => values.flatMap((value) => [flag, value]);
