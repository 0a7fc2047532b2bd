import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startHome } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { startProxy, type ProxyKind } from '../support/proxies.ts';
import { startReplica } from '../support/replicas.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';

/** The idle time of requests in the examples, shortened from 65 s. That of WebSockets stays as it is. */
const idleMs = 1_000;
const shortened: Record<ProxyKind, readonly string[]> = {
  haproxy: ['timeout client', 'timeout server'],
  nginx: ['client_body_timeout', 'send_timeout', 'proxy_send_timeout', 'proxy_read_timeout'],
};

/** The line of the example for TLS, and what an operator makes of it. */
const tlsLine: Record<ProxyKind, (address: string, folder: string) => [example: string, used: string]> = {
  haproxy: (address, folder) => [
    '# With TLS: bind :443 ssl crt /etc/haproxy/fleet.pem',
    `bind ${address} ssl crt ${folder}/both.pem`,
  ],
  nginx: (address, folder) => [
    '# With TLS: listen 443 ssl; ssl_certificate /etc/nginx/fleet.pem; ssl_certificate_key /etc/nginx/fleet.key;',
    `listen ${address} ssl; ssl_certificate ${folder}/fleet.pem; ssl_certificate_key ${folder}/fleet.key;`,
  ],
};

async function writeCertificate(folder: string): Promise<void> {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'fleet.key', '-out', 'fleet.pem'];
  const subject = ['-subj', '/CN=fleet', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', ...key, ...subject], { cwd: folder, stdio: 'pipe' });
  const parts = await Promise.all(['fleet.pem', 'fleet.key'].map((name) => readFile(join(folder, name))));
  await writeFile(join(folder, 'both.pem'), Buffer.concat(parts));
}

for (const kind of ['haproxy', 'nginx'] as const)
  testWith(kind, 'openssl')(
    `over TLS behind ${kind}, an upload, a download and a shell last longer than its idle time`,
    async () => {
      await using world = await startIsolatedWorld();
      await using replica = await startReplica(world, { TRUST_PROXY: '127.0.0.1' });
      await using folder = await tempDir();
      await writeCertificate(folder.path);
      const address = `127.0.0.1:${await freePort()}`;
      const changes = Object.fromEntries([
        ...shortened[kind].map((name) => [`    ${name} 65s`, `    ${name} ${idleMs / 1_000}s`]),
        tlsLine[kind](address, folder.path),
      ]) as Record<string, string>;
      await using proxy = await startProxy(kind, [replica.url], changes);
      expect((await fetch(`${proxy.url}/readyz`)).status).toBe(200);
      const [url, ca] = [`https://${address}`, join(folder.path, 'fleet.pem')];

      const parts = Array.from({ length: 8 }, () => randomBytes(3 * 2 ** 20));
      const bytes = Buffer.concat(parts);
      const digest = createHash('sha256').update(bytes).digest('hex');
      await factories(world).release({ artifact_sha256: digest, artifact_size: bytes.length });
      const open = async (method: string, headers: Record<string, string> = {}) =>
        request(`${url}/api/artifacts/${digest}`, {
          method,
          ca: await readFile(ca),
          headers: { Authorization: `Bearer ${world.orgToken}`, ...headers },
        });
      const type = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(bytes.length) };
      const upload = await open('PUT', type);
      const uploaded = once(upload, 'response') as Promise<[IncomingMessage]>;
      for (const part of parts) {
        upload.write(part);
        await sleep(idleMs / 3);
      }
      upload.end();
      expect((await uploaded)[0].statusCode).toBe(200);

      const download = await open('GET');
      const [response] = (await once(download.end(), 'response')) as [IncomingMessage];
      const hash = createHash('sha256');
      let nextPauseAt = 0;
      let received = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        hash.update(chunk);
        received += chunk.length;
        if (received < nextPauseAt) continue;
        nextPauseAt += bytes.length / 8;
        await sleep(idleMs / 3);
      }
      expect(hash.digest('hex')).toBe(digest);

      await using home = await startHome({ SERVICE_TOKEN: world.orgToken, NODE_EXTRA_CA_CERTS: ca });
      await using robot = await startHome({ NODE_EXTRA_CA_CERTS: ca });
      const { value: key } = (await factories(world).key()) as { value: string };
      const flags = ['--allow-shell', '--name', 'amr-007', '--backend-url', url];
      const agent = robot.start(['agent', 'run', ...flags], { env: { SERVICE_ENROLLMENT_KEY: key }, input: '' });
      await agent.sees('Connected to');
      const quiet = `sleep ${(2 * idleMs) / 1_000}; echo still here`;
      const shell = home.start(['robots', 'shell', 'amr-007', '--base-url', url, '--', 'sh', '-c', quiet], {
        input: '',
      });
      expect(await shell.ended).toMatchObject({ code: 0, stdout: 'still here\n' });
      agent.kill('SIGTERM');
      await agent.ended;
    },
  );
