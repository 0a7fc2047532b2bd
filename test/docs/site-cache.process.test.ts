import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { put } from '../support/artifacts.ts';
import { factories } from '../support/factories.ts';
import { startProxy } from '../support/proxies.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { bytes, fetching, sha256 } from '../cli/agent/releases/fetching.ts';

testWith('nginx')('the nginx of the guide fetches an artifact once, for robots that have no token there', async () => {
  await using world = await startIsolatedWorld();
  await factories(world).release({ artifact_sha256: sha256, artifact_size: bytes.length });
  await put(world, `/api/artifacts/${sha256}`, bytes);
  await using cache = await startProxy('cache', [], {
    'https://fleet.example.com': world.url,
    '<token>': world.orgToken,
    // The service of the test has no TLS, and not each machine has a list of authorities.
    'proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;': '',
    'proxy_ssl_verify on;': '',
  });
  const downloads = () => world.lines.filter((line) => line.includes('"operation":"downloadArtifact"')).length;
  for (let robots = 0; robots < 3; robots += 1) {
    await using robot = await fetching(() => undefined, `${cache.url}/artifacts`);
    await robot.fetch();
    expect((await readFile(robot.path)).equals(bytes)).toBe(true);
    expect(robot.calls()).toBe(0);
  }
  expect(downloads()).toBe(1);
  const rest = await fetch(`${cache.url}/artifacts/${sha256}`, { headers: { Range: 'bytes=599990-' } });
  expect([rest.status, Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(599_990))]).toEqual([206, true]);
  expect((await fetch(`${cache.url}/artifacts/${'0'.repeat(64)}`)).status).toBe(404);
  expect((await fetch(`${cache.url}/api/sites`)).status).toBe(404);
  expect((await fetch(`${cache.url}/artifacts/${sha256}`, { method: 'PUT', body: 'x' })).status).toBe(403);
});
