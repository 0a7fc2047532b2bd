import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, listen, signedInHome, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';
import { startWorld } from '../../support/world.ts';

const unknownId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c11';

test('each refusal of the API ends with its own code, its request id, and with --json its body on stdout', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const { data: user } = await world.api.POST('/api/users', { body: { email: 'kim@example.com', role: 'viewer' } });
  const { data: token } = await world.api.POST('/api/users/{id}/tokens', {
    params: { path: { id: user?.data.id ?? '' } },
    body: {},
  });
  const cases: [args: string[], env: Record<string, string>, exit: number, code: string][] = [
    [['sites', 'list'], { SERVICE_TOKEN: 'svc_org_unknown' }, 4, 'unauthorized'],
    [['sites', 'create', 'Osaka'], { SERVICE_TOKEN: token?.data.value ?? '' }, 1, 'forbidden'],
    [['robots', 'show', unknownId], {}, 5, 'not_found'],
    [['users', 'create', 'kim@example.com'], {}, 6, 'conflict'],
    [['users', 'create', 'kim'], {}, 1, 'bad_request'],
    [['admin', 'stats'], { SERVICE_ADMIN_TOKEN: 'wrong' }, 4, 'unauthorized'],
  ];
  for (const [args, env, exit, code] of cases) {
    const result = await home.cli([...args, '--json'], { env });
    expect(result.code, args.join(' ')).toBe(exit);
    expect(JSON.parse(result.stdout), args.join(' ')).toEqual({
      error: { code, message: expect.any(String) as string },
    });
    expect(result.stderr, args.join(' ')).toMatch(/^request ID \S+\nError: /);
  }
});

test('a refused token is told apart from a role that does not suffice', async () => {
  await using world = await startWorld();
  await using home = await startHome({ TEST_BASE_URL: world.url });
  await home.cli(['login', '--token', '-'], { input: world.orgToken });
  const { stdout: id } = await home.cli(['whoami', '--fields', 'token_id']);
  expect((await home.cli(['tokens', 'revoke', id.trim()])).code).toBe(0);
  const result = await home.cli(['sites', 'list']);
  expect(result.code).toBe(4);
  expect(result.stderr).toMatch(/Error: Token rejected: .*\n {2}Sign in with: cli login\n$/);
});

test('a service that cannot be reached is named, with the place its address came from', async () => {
  await using gone = await listen(() => undefined);
  const closed = gone.url;
  await gone[Symbol.asyncDispose]();
  await using plain = await listen((_, response) => response.end());
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  const refused = await home.cli(['sites', 'list', '--json', '--base-url', closed]);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'http_error' } });
  expect(refused.stderr).toContain(`${closed.slice('http://'.length)} refused the connection`);
  expect(refused.stderr).toContain('The base URL came from --base-url');
  const unnamed = await home.cli(['sites', 'list', '--base-url', 'http://no-such-host.invalid']);
  expect(unnamed.stderr).toContain('no address found for no-such-host.invalid');
  const unencrypted = await home.cli(['sites', 'list', '--base-url', plain.url.replace('http:', 'https:')]);
  expect(unencrypted.stderr).toContain('no trusted TLS connection to 127.0.0.1');
  const byDefault = await home.cli(['doctor', '--json'], { env: { SERVICE_TOKEN: '' } });
  expect(byDefault.stdout).toContain('http://127.0.0.1:8080, from the default');
});

test('an answer of something that is not the service is said to be one, and a redirect is not followed', async () => {
  await using other = await listen((request, response) => {
    if (request.url === '/api/fleets') response.writeHead(302, { Location: 'http://127.0.0.1:1/' });
    response.end('<html>');
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: other.url });
  expect((await home.cli(['sites', 'list'])).stderr).toContain(
    'responded with 200, in a format that is not the service’s',
  );
  const redirected = await home.cli(['fleets', 'list']);
  expect(redirected.code).toBe(1);
  expect(redirected.stderr).toContain('responded with 302, a redirect to http://127.0.0.1:1/');
});

test('a reply that breaks off is an error, not a short list', async () => {
  await using server = await listen((_, response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write('{"items":[', () => response.destroy());
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  expect(await home.cli(['sites', 'list'])).toMatchObject({ code: 1, stdout: '' });
});

test('calls go through the proxy of the environment, and past it for this machine and for NO_PROXY', async () => {
  await using proxy = await listen((_, response) => response.end('{"items":[]}'));
  await using direct = await listen((_, response) => response.end('{"items":[]}'));
  const env = { SERVICE_TOKEN: 'svc_org_x', HTTP_PROXY: proxy.url, https_proxy: proxy.url };
  await using home = await startHome(env);
  expect((await home.cli(['sites', 'list', '--base-url', 'http://fleet.invalid:8080'])).code).toBe(0);
  expect(proxy.requests).toEqual(['GET http://fleet.invalid:8080/api/sites']);
  const secured = await home.cli(['sites', 'list', '--base-url', 'https://fleet.invalid']);
  expect(secured.stderr).toContain('cannot reach fleet.invalid through the proxy');
  expect(proxy.requests.at(-1)).toBe('CONNECT fleet.invalid:443');
  await home.cli(['sites', 'list', '--base-url', direct.url]);
  expect(direct.requests).toEqual(['GET /api/sites']);
  const exempt = await home.cli(['sites', 'list', '--base-url', 'http://fleet.invalid'], {
    env: { NO_PROXY: 'example.com, .invalid' },
  });
  expect(exempt.stderr).toContain('no address found for fleet.invalid');
  for (const noProxy of ['::ffff:7f00:1', '[::ffff:7f00:1]']) {
    const url = direct.url.replace('127.0.0.1', '[::ffff:7f00:1]');
    expect((await home.cli(['sites', 'list', '--base-url', url], { env: { NO_PROXY: noProxy } })).code).toBe(0);
    expect(proxy.requests).toHaveLength(2);
  }
});

testWith('openssl')(
  'a certificate of an own authority counts through the proxy too, and for its own names only',
  async () => {
    await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
    const [key, certificate] = [join(home.path, 'key.pem'), join(home.path, 'certificate.pem')];
    const names = ['-subj', '/CN=fleet', '-addext', 'subjectAltName=DNS:fleet.invalid'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate, ...names],
      { stdio: 'ignore' },
    );
    const service = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) =>
      response.end('{"items":[]}'),
    );
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    try {
      await using proxy = await listen(() => undefined, (service.address() as AddressInfo).port);
      const list = (host: string, env: Record<string, string>) =>
        home.cli(['sites', 'list', '--json', '--base-url', `https://${host}`], {
          env: { HTTPS_PROXY: proxy.url, ...env },
        });
      expect(await list('fleet.invalid', { NODE_EXTRA_CA_CERTS: certificate })).toEqual({
        code: 0,
        stdout: '{"items":[]}\n',
        stderr: '',
      });
      expect((await list('fleet.invalid', {})).stderr).toContain('with --ca-file <file>, or set NODE_EXTRA_CA_CERTS');
      expect((await list('other.invalid', { NODE_EXTRA_CA_CERTS: certificate })).stderr).toContain(
        'no trusted TLS connection to other.invalid',
      );
      const named = (file: string, ...flags: string[]) =>
        home.cli(['sites', 'list', '--json', '--base-url', 'https://fleet.invalid', '--ca-file', file, ...flags], {
          env: { HTTPS_PROXY: proxy.url },
        });
      expect(await named(certificate)).toEqual({ code: 0, stdout: '{"items":[]}\n', stderr: '' });
      expect((await named(key)).stderr).toContain(`--ca-file: ${key} cannot be used`);
      expect((await named('/nonexistent.pem')).stderr).toContain('--ca-file: /nonexistent.pem cannot be used');
      const direct = `https://127.0.0.1:${(service.address() as AddressInfo).port}`;
      const wrongName = await home.cli(['sites', 'list', '--base-url', direct, '--ca-file', certificate]);
      expect(wrongName.stderr).toContain('no trusted TLS connection to 127.0.0.1');
      expect(wrongName.stderr).toContain('altnames');
    } finally {
      service.closeAllConnections();
      service.close();
    }
  },
);

test('Ctrl-C ends a waiting command at once with 130', async () => {
  let arrived = (): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  await using server = await listen(() => arrived());
  const child = spawn(process.execPath, [bin, 'sites', 'list', '--base-url', server.url], {
    env: { SERVICE_TOKEN: 'svc_org_x', HOME: '/nonexistent' },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await arrival;
  child.kill('SIGINT');
  expect(await ended).toBe(130);
});

test('a stack is shown with --debug only', async () => {
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  const line = ['sites', 'list', '--base-url', 'http://no-such-host.invalid'];
  expect((await home.cli(line)).stderr).not.toContain('    at ');
  expect((await home.cli([...line, '--debug'])).stderr).toContain('    at ');
});

test('--debug prints each request on stderr with its outcome, request ID and duration, and without its secrets', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const line = ['robots', 'show', 'amr-007'];
  expect((await home.cli(line)).stderr).not.toContain('debug:');
  const known = await home.cli([...line, '--debug', '--json']);
  const requests = known.stderr.split('\n').filter((each) => each.startsWith('debug: '));
  expect(requests[0]).toMatch(
    new RegExp(`^debug: GET ${world.url}/api/robots\\?name=amr-007&limit=\\d+: 200 in \\d+ ms, request ID \\S+$`),
  );
  expect(known.stderr).not.toContain(world.orgToken);
  const secret = await home.cli(['api', 'GET', '/api/sites?token=svc_org_query&limit=1', '--debug']);
  expect(secret.stderr).toContain('/api/sites?token=***&limit=1: 4');
  expect(secret.stderr).not.toContain('svc_org_query');
  const lost = await home.cli(['sites', 'list', '--debug', '--base-url', 'http://no-such-host.invalid']);
  expect(lost.stderr).toMatch(/^debug: GET http:\/\/no-such-host\.invalid\/api\/sites: no response \(.+\) in \d+ ms$/m);
});
