import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent, stateOf } from '../../../support/agent-process.ts';
import { startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { sha256 } from '../../../support/orders.ts';
import { startWorld } from '../../../support/world.ts';

test('an agent carries out what the service orders: config and releases, small and large, and one that fails, over kill -9', async () => {
  await using world = await startWorld();
  await using home = await startHome();
  const make = factories(world);
  const key = await make.key();
  const env = { SERVICE_ENROLLMENT_KEY: key.value as string, TEST_BASE_URL: world.url };
  const robots = async () => (await world.call('GET', '/api/robots')).body.items;
  const artifacts = join(stateOf(home), 'artifacts');
  await mkdir(artifacts, { recursive: true, mode: 0o700 });
  const script = `#!/bin/sh\necho "$SVC_DEPLOYMENT_ID" >> ${home.path}/runs\n`;
  await writeFile(join(artifacts, sha256(script)), script);
  const release = await make.release({
    artifact_sha256: sha256(script),
    artifact_size: script.length,
    kind: 'script',
  });
  const absent = await make.release({ kind: 'file' });
  const small = await make.config({ key: 'nav.max_speed', value: 1.5 });
  const large = await make.config({ key: 'map', namespace: 'maps', value: 'x'.repeat(50_000) });
  const statusOf = async (path: string, { id }: { id: string }) =>
    (await world.call('GET', `/api/${path}/${id}`)).body.data.status as string;
  const becomes = (path: string, made: { id: string }, status: string) =>
    expect.poll(() => statusOf(path, made), { interval: 100 }).toBe(status);

  const args = [
    '--on-config',
    'echo run >> "$HOME/hooks"; if test ! -e "$HOME/once"; then touch "$HOME/once"; kill -9 $PPID; fi',
  ];
  const first = startAgent(home, args, env);
  await expect.poll(async () => (await robots())[0]?.online).toBe(true);
  const [{ id }] = await robots();
  const target = { target_kind: 'robot', target_id: id as string };
  const configured = await make.deployment({ config_id: small.id, ...target });
  expect((await first.ended).code).toBe(137);
  const mapped = await make.deployment({ config_id: large.id, ...target });
  await using second = startAgent(home, args, env);
  await becomes('configs/deployments', configured, 'applied');
  await becomes('configs/deployments', mapped, 'applied');
  const run = await make.deployment({ release_id: release.id, ...target });
  const failing = await make.deployment({ release_id: absent.id, ...target });
  await becomes('deployments', run, 'applied');
  await becomes('deployments', failing, 'failed');
  const folder = join(stateOf(home), 'config');
  expect(JSON.parse(await readFile(join(folder, 'default.json'), 'utf8'))).toEqual({ 'nav.max_speed': 1.5 });
  expect(JSON.parse(await readFile(join(folder, 'maps.json'), 'utf8'))).toEqual({ map: 'x'.repeat(50_000) });
  expect(await readFile(join(home.path, 'runs'), 'utf8')).toBe(`${run.id as string}\n`);
  second.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});
