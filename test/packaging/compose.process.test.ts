import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { unpackCompose, type ComposeService } from './compose.ts';

/** What a service mounts from the machine, by its path in the container. */
function mountsOf(service: ComposeService | undefined): Map<string, string> {
  const volumes = (service?.volumes ?? []).map((volume) => volume.split(':'));
  return new Map(volumes.flatMap(([source = '', target = '']) => (source.startsWith('/') ? [[target, source]] : [])));
}

testWith('docker-compose')('the released compose file is valid with the settings that its script writes', async () => {
  await using compose = await unpackCompose();
  expect(() => compose.services()).toThrow('run make-env.sh');
  compose.makeEnv();
  expect(() => compose.makeEnv()).toThrow('.env exists already; nothing was changed');
  const settingsFile = join(compose.path, '.env');
  expect((await stat(settingsFile)).mode & 0o777).toBe(0o600);
  const secrets = [...(await readFile(settingsFile, 'utf8')).matchAll(/^(?!COMPOSE)\w+=(.*)$/gm)].map(
    ([, value]) => value,
  );
  expect(new Set(secrets).size).toBe(5);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{48}$/);

  const text = await readFile(settingsFile, 'utf8');
  expect(text).toContain('\n#COMPOSE_PROFILES=replicas,nats\n');
  await writeFile(settingsFile, `${text}LOG_RETENTION_DAYS=30\nS3_BUCKET=other\n`);
  const services = compose.services();
  const optional = Object.entries(services).flatMap(([name, { profiles = [] }]) =>
    profiles.map((each) => [each, name]),
  );
  expect(Object.fromEntries(optional)).toEqual({ nats: 'nats', replicas: 'service-2' });
  const settings = ['service', 'service-2'].map((name) => services[name]?.environment ?? {});
  expect(new Set(settings.map((each) => each['SERVICE_REPLICA_URL'])).size).toBe(2);
  expect(new Set(settings.map((each) => each['SERVICE_CLUSTER_SECRET'])).size).toBe(1);
  // Any setting reaches the replicas, and replaces none of the file.
  for (const each of settings) expect(each).toMatchObject({ LOG_RETENTION_DAYS: '30', S3_BUCKET: 'fleet' });
  expect(services['service']?.image).toBe(`localhost/fleet-control-service:${manifest.version}`);
  // What is mounted is in the archive.
  const sources = Object.values(services).flatMap((service) => [...mountsOf(service).values()]);
  expect(sources).toHaveLength(4);
  for (const source of sources)
    expect([source.startsWith(`${compose.path}/`), await stat(source)]).toEqual([true, expect.anything()]);
});

testWith('docker-compose', 'promtool')(
  'promtool accepts the configuration and alerts of the compose file, which scrapes its replicas',
  async () => {
    await using compose = await unpackCompose();
    compose.makeEnv();
    const services = compose.services();
    // As in its container.
    await using folder = await tempDir();
    for (const [target, source] of mountsOf(services['prometheus'])) {
      expect(target).toMatch(/^\/etc\/prometheus\/[^/]+$/);
      await cp(source, join(folder.path, basename(target)));
    }
    const config = join(folder.path, 'prometheus.yml');
    const output = execFileSync('promtool', ['check', 'config', config], { encoding: 'utf8', stdio: 'pipe' });
    expect(output).toMatch(/alerts\.yaml[^]*SUCCESS: \d+ rules found/);
    const { scrape_configs: jobs } = parse(await readFile(config, 'utf8')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    const replicas = Object.keys(services).filter((name) => /^service/.test(name));
    expect(jobs).toMatchObject([{ job_name: 'fleet', dns_sd_configs: [{ names: replicas.sort(), port: 8080 }] }]);
  },
);

testWith('docker-compose')('Grafana of the compose file finds its Prometheus and its dashboards', async () => {
  await using compose = await unpackCompose();
  compose.makeEnv();
  const services = compose.services();
  const mounts = mountsOf(services['grafana']);
  const provisioning = mounts.get('/etc/grafana/provisioning') ?? '';
  const read = async (path: string) => parse(await readFile(join(provisioning, path), 'utf8')) as unknown;
  const { datasources } = (await read('datasources/prometheus.yaml')) as { datasources: { url: string }[] };
  expect(datasources).toMatchObject([{ type: 'prometheus', isDefault: true }]);
  const { protocol, hostname, port } = new URL(datasources[0]?.url ?? '');
  expect(Object.keys(services)).toContain(hostname);
  expect([protocol, hostname, port]).toEqual(['http:', 'prometheus', '9090']);

  const { providers } = (await read('dashboards/fleet.yaml')) as { providers: { options: { path: string } }[] };
  expect(providers).toMatchObject([{ type: 'file', options: {} }]);
  const files = await readdir(mounts.get(providers[0]?.options.path ?? '') ?? '');
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((name) => !name.endsWith('.json'))).toEqual([]);
});
