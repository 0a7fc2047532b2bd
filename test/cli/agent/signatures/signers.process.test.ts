import { generateKeyPairSync } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beRobot, runBriefly, startAgent } from '../../../support/agent-process.ts';
import { listen, startHome, type Home } from '../../../support/cli.ts';
import { configOrder, releaseOrder, sha256, startOrderServer } from '../../../support/orders.ts';
import { keyFiles, newSigner } from '../../../support/signing.ts';

const pinned = (home: Home) => join(home.config, 'signers.json');

test('what is no public key of the right kind is refused before anything is sent', async () => {
  await using server = await listen((_request, response) => response.writeHead(500).end());
  await using home = await startHome({ SERVICE_ENROLLMENT_KEY: 'svc_enroll_k', TEST_BASE_URL: server.url });
  const files = await keyFiles(home.path, 'release', newSigner());
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
  await writeFile(join(home.path, 'rsa.pem'), rsa);
  const refused: [string, string][] = [
    [files.private, 'contains a private key, which must not be on a robot'],
    [join(home.path, 'rsa.pem'), 'has no ed25519 public key in PEM'],
    [`release=${join(home.path, 'none')}`, 'cannot be read (ENOENT'],
  ];
  const ends = await Promise.all(
    refused.map(([file]) =>
      home.cli(['agent', 'run', '--require-signature', files.public, '--require-signature', file]),
    ),
  );
  // One of them at a time is the agent of this machine; the others are told so.
  for (const [index, { code, stderr }] of ends.entries())
    if (!stderr.includes('another agent'))
      expect([code, stderr]).toEqual([2, expect.stringContaining(refused[index]?.[1] ?? '')]);
  expect(server.requests).toEqual([]);
  await expect(stat(pinned(home))).rejects.toThrow('ENOENT');
});

test('keys are pinned once: without the flag they count, others are refused, and where they are lost no order is taken', async () => {
  await using server = await startOrderServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const [signer, other] = [newSigner(), newSigner()];
  const files = await keyFiles(home.path, 'release', signer);
  const others = await keyFiles(home.path, 'other', other);
  const flags = ['--require-signature', `release-2026=${files.public}`];
  const sign = (content: string) => {
    const fields = signer.sign({ org_id: 'o-1', scope: 'fleet:f-1', lane: 'release:file', digest: sha256(content) });
    return releaseOrder('file', content, { ...fields, key_id: 'release-2026' });
  };

  const first = await runBriefly(home, flags);
  expect(first.stderr).toContain(`Accepts only orders signed by release-2026; stored in ${pinned(home)}`);
  expect((await stat(pinned(home))).mode & 0o777).toBe(0o600);
  const kept = await readFile(pinned(home), 'utf8');
  const wrong = await home.cli(['agent', 'run', '--require-signature', others.public]);
  expect(wrong).toMatchObject({ code: 6, stdout: expect.any(String) });
  expect(wrong.stderr).toContain('this robot has pinned other keys');
  expect(await readFile(pinned(home), 'utf8')).toBe(kept);

  const [unsigned, absent] = [configOrder([{ key: 'a', value: '1' }]), sign('v1')];
  server.orders.push(unsigned, absent);
  {
    await using agent = startAgent(home);
    expect(await server.endOf(unsigned)).toMatchObject({ status: 'failed', reason: 'unsigned' });
    // Signed, and let through: the artifact is nowhere.
    expect(await server.endOf(absent)).toMatchObject({ status: 'failed', reason: 'no_artifact' });
    agent.kill('SIGTERM');
    await agent.ended;
  }
  await rm(pinned(home));
  const lost = sign('v2');
  server.orders.push(lost);
  {
    await using agent = startAgent(home);
    await agent.sees('Warning: ');
    expect(agent.text()).toContain(`${pinned(home)} is missing. No order is accepted`);
    expect(await server.endOf(lost)).toMatchObject({ status: 'failed', reason: 'unknown_key' });
    agent.kill('SIGTERM');
    await agent.ended;
  }
  await writeFile(pinned(home), '{}');
  const damaged = await runBriefly(home, flags);
  expect(damaged.stderr).toContain(`Warning: ${pinned(home)} is damaged. No order is accepted`);
  expect(await readFile(pinned(home), 'utf8')).toBe('{}');
  await rm(pinned(home));
  expect((await runBriefly(home, flags)).stderr).toContain('Accepts only orders signed by release-2026');
  expect((await home.cli(['agent', 'forget'])).code).toBe(0);
  await expect(stat(pinned(home))).rejects.toThrow('ENOENT');
  expect(server.invalid).toEqual([]);
});

test('who enrolls again keeps the keys, or takes others with it, and begins to count anew', async () => {
  await using home = await startHome({ SERVICE_ENROLLMENT_KEY: 'svc_enroll_k' });
  let made = 0;
  await using service = await listen((request, response) => {
    if (request.url !== '/agent/enroll') return response.writeHead(503).end();
    made += 1;
    const ids = { robot_name: 'amr', org_id: 'o-1', site_id: 's-1', fleet_id: 'f-1' };
    response.writeHead(201, { 'Content-Type': 'application/json' });
    return response.end(JSON.stringify({ data: { robot_id: `r-${made}`, robot_token: 'svc_robot_x', ...ids } }));
  });
  const [one, two] = [newSigner(), newSigner()];
  const [ones, twos] = [await keyFiles(home.path, 'one', one), await keyFiles(home.path, 'two', two)];
  const read = async () => JSON.parse(await readFile(pinned(home), 'utf8')) as Record<string, object>;
  const run = (...args: string[]) => runBriefly(home, ['--backend-url', service.url, ...args]);

  await run('--require-signature', ones.public);
  expect(await read()).toMatchObject({ robot_id: 'r-1', keys: { [one.keyId]: one.publicPem }, accepted: {} });
  const content = await read();
  await writeFile(pinned(home), JSON.stringify({ ...content, accepted: { config: { sequence: 7, digest: 'x' } } }));
  await run();
  expect(await read()).toMatchObject({ robot_id: 'r-1', accepted: { config: { sequence: 7 } } });
  await run('--fresh');
  expect(await read()).toEqual({ ...content, robot_id: 'r-2' });
  await run('--fresh', '--require-signature', twos.public, '--require-signature', ones.public);
  expect(await read()).toMatchObject({ robot_id: 'r-3' });
  expect(Object.keys((await read())['keys'] ?? {})).toEqual([two.keyId, one.keyId]);
});

test('a crash right after the enrollment leaves no robot that takes everything', async () => {
  await using home = await startHome({ SERVICE_ENROLLMENT_KEY: 'svc_enroll_k' });
  let arrived: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (arrived = resolve));
  await using service = await listen((request, response) =>
    request.url === '/agent/enroll' ? arrived() : response.writeHead(503).end(),
  );
  const files = await keyFiles(home.path, 'release', newSigner());
  {
    await using agent = startAgent(home, ['--backend-url', service.url, '--require-signature', files.public]);
    await asked;
    expect(agent.text()).toBe('');
  }
  await beRobot(home, service.url);
  const { stderr } = await runBriefly(home, []);
  expect(stderr).toContain('Accepts only orders signed');
});
