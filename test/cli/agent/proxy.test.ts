import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect } from 'vitest';
import { beRobot, startAgent } from '../../support/agent-process.ts';
import { startAgentServer } from '../../support/agent-server.ts';
import { listen, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';

const host = 'fleet.test';

/** TLS with a certificate that signs itself, in front of a port of this machine. */
async function startTls(folder: string, port: number) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', [...args, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (near) => {
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    cert,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

testWith('openssl')(
  'the link goes through the proxy of HTTPS_PROXY, and trusts the service by --ca-file alone',
  async () => {
    await using server = await startAgentServer();
    await using home = await startHome();
    await using tls = await startTls(home.path, Number(new URL(server.url).port));
    await using proxy = await listen((_, response) => response.end(), tls.port);
    await beRobot(home, `https://${host}`);
    const env = { HTTPS_PROXY: proxy.url };
    {
      await using stranger = startAgent(home, [], env);
      await stranger.sees('Not connected: self-signed certificate');
    }
    expect(server.links).toEqual([]);
    await using agent = startAgent(home, ['--ca-file', tls.cert], env);
    await agent.sees(`Connected to https://${host} as amr-007`);
    await server.until(() => server.messages('agent').length > 0);
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${host}:443`]));
    expect(server.links[0]?.request.headers.authorization).toBe('Bearer svc_robot_test');
    agent.kill('SIGTERM');
    expect((await agent.ended).code).toBe(0);
  },
);
