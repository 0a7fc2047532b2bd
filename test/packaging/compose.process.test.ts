import { execFileSync } from 'node:child_process';
import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';

const folder = fileURLToPath(new URL('../../packaging/compose', import.meta.url));

interface Compose {
  services: Record<string, { environment?: Record<string, string>; volumes?: string[]; profiles?: string[] }>;
}

testWith('docker-compose')('the compose file is valid with the settings that its script writes', async () => {
  await using copy = await tempDir();
  await cp(folder, copy.path, { recursive: true });
  const composed = () =>
    execFileSync('docker-compose', ['config'], { cwd: copy.path, encoding: 'utf8', stdio: 'pipe' });
  expect(() => composed()).toThrow('run make-env.sh');
  const makeEnv = () => execFileSync('sh', [join(copy.path, 'make-env.sh')], { stdio: 'pipe' });
  makeEnv();
  expect(makeEnv).toThrow('.env exists already; nothing was changed');
  expect((await stat(join(copy.path, '.env'))).mode & 0o777).toBe(0o600);
  const secrets = [...(await readFile(join(copy.path, '.env'), 'utf8')).matchAll(/^\w+=(.*)$/gm)].map(
    ([, value]) => value,
  );
  expect(new Set(secrets).size).toBe(5);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{48}$/);

  const { services } = parse(composed()) as Compose;
  const optional = Object.entries(services).flatMap(([name, { profiles = [] }]) =>
    profiles.map((each) => [each, name]),
  );
  expect(Object.fromEntries(optional)).toEqual({ nats: 'nats', replicas: 'service-2' });
  const settings = ['service', 'service-2'].map((name) => services[name]?.environment ?? {});
  expect(new Set(settings.map((each) => each['SERVICE_REPLICA_URL'])).size).toBe(2);
  expect(new Set(settings.map((each) => each['SERVICE_CLUSTER_SECRET'])).size).toBe(1);
  // What is mounted from this folder is there.
  for (const { volumes = [] } of Object.values(services))
    for (const source of volumes.map((volume) => volume.split(':')[0] ?? ''))
      if (source.startsWith(copy.path)) await stat(source);
});
