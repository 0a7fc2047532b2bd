import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBus } from '../../../src/platform/bus/create-bus.ts';
import { readNats } from '../../../src/platform/bus/nats-settings.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { startNats } from '../../support/nats.ts';
import { natsUsers } from '../../support/nats-users.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { testWith } from '../../support/tools.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../../support/world.ts';

/** A bus with these variables of the environment. */
async function busWith({ connection }: IsolatedWorld, env: Record<string, string>) {
  const problems: string[] = [];
  const lines: string[] = [];
  const log = createLogger('info', [], (line) => void lines.push(line));
  const bus = createBus({ connection, log, nats: readNats(env, problems) });
  expect(problems).toEqual([]);
  await bus.start();
  return { bus, lines, [Symbol.asyncDispose]: () => bus.close() };
}

testWith('nats-server')('a user and password, or a token, in the address are used', async () => {
  await using world = await startIsolatedWorld();
  await using nats = await startNats('authorization { user: fleet, password: "p@ss:word" }');
  await using user = await busWith(world, { NATS_URL: `nats://fleet:p%40ss%3Aword@127.0.0.1:${nats.port}` });
  await expect.poll(() => user.bus.up).toBe(true);
  await nats.stop();
  await nats.start('authorization { token: "a-token" }');
  await using token = await busWith(world, { NATS_URL: `nats://a-token@127.0.0.1:${nats.port}` });
  await expect.poll(() => token.bus.up).toBe(true);
});

testWith('nats-server')('a wrong password is logged, and is used again until it is right', async () => {
  await using world = await startIsolatedWorld();
  await using nats = await startNats('authorization { user: fleet, password: other }');
  await using late = await busWith(world, { NATS_URL: `nats://fleet:secret-word@127.0.0.1:${nats.port}` });
  await expect.poll(() => late.lines.some((line) => /authorization/i.test(line))).toBe(true);
  expect(late.lines.join('')).not.toContain('secret-word');
  expect(late.bus.up).toBe(false);
  await nats.stop();
  await nats.start('authorization { user: fleet, password: "secret-word" }');
  await expect.poll(() => late.bus.up).toBe(true);
});

testWith('nats-server')('a credentials file is used, and the rights of the guide suffice', async () => {
  await using world = await startIsolatedWorld();
  await using folder = await tempDir();
  const { settings, credentials } = natsUsers();
  await using nats = await startNats(settings);
  const file = join(folder.path, 'service.creds');
  await writeFile(file, credentials);
  const env = { NATS_URL: `nats://127.0.0.1:${nats.port}`, NATS_CREDENTIALS: file };
  await using here = await busWith(world, env);
  await using there = await busWith(world, env);
  const heard: string[] = [];
  there.bus.subscribe({ hint: ({ orgId }) => void heard.push(orgId), reset: () => undefined });
  await expect.poll(() => here.bus.up && there.bus.up).toBe(true);
  await here.bus.send(world.db, [{ topic: 'access_changed', orgId: 'o-1' }]);
  await expect.poll(() => heard).toEqual(['o-1']);
});

testWith(
  'nats-server',
  'openssl',
  'localhost',
)('with tls:// the certificate of the server is checked, and the own one is shown', async () => {
  await using world = await startIsolatedWorld();
  await using folder = await tempDir();
  const path = (name: string) => join(folder.path, name);
  for (const name of ['server', 'client', 'stranger'])
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-keyout',
          path(`${name}.key`),
          '-out',
          path(`${name}.pem`),
        ],
        ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'],
      ],
      { stdio: 'ignore' },
    );
  await using nats = await startNats(
    `tls { cert_file: "${path('server.pem')}", key_file: "${path('server.key')}", ca_file: "${path('client.pem')}", verify: true }`,
  );
  const own = { NATS_CERT: path('client.pem'), NATS_KEY: path('client.key') };
  const address = { NATS_URL: `tls://localhost:${nats.port}`, ...own };
  await using right = await busWith(world, { ...address, NATS_CA: path('server.pem') });
  await using wrong = await busWith(world, { ...address, NATS_CA: path('stranger.pem') });
  await using unknown = await busWith(world, {
    ...address,
    NATS_CA: path('server.pem'),
    NATS_CERT: path('stranger.pem'),
    NATS_KEY: path('stranger.key'),
  });
  await expect.poll(() => right.bus.up).toBe(true);
  await expect.poll(() => wrong.lines.some((line) => /certificate/.test(line))).toBe(true);
  expect([wrong.bus.up, unknown.bus.up]).toEqual([false, false]);
});

test('a file that cannot be read ends the start with one sentence', async () => {
  await using world = await startIsolatedWorld();
  const env = { NATS_URL: 'nats://127.0.0.1:4222', NATS_CREDENTIALS: '/nowhere/service.creds' };
  await expect(busWith(world, env)).rejects.toThrow(
    'NATS_CREDENTIALS names /nowhere/service.creds, which cannot be read: ENOENT',
  );
});

test.each([
  [{ NATS_URL: '127.0.0.1:4222' }, /^NATS_URL must be one or more addresses of the form/],
  [{ NATS_URL: 'http://127.0.0.1:4222' }, /^NATS_URL must be one or more/],
  [{ NATS_URL: 'nats://a:4222,tls://b:4222' }, /^NATS_URL must be one or more/],
  [{ NATS_URL: 'nats://u:p@a,nats://u:q@b' }, /^NATS_URL must be one or more/],
  [{ NATS_URL: 'tls://10.0.0.1' }, /^NATS_URL must have the name of each host, as in its certificate, with tls:\/\//],
  [{ NATS_URL: 'nats://a/path' }, /^NATS_URL must be one or more/],
  [{ NATS_URL: 'nats://%zz:p@a' }, /^NATS_URL must be one or more/],
  [{ NATS_CA: '/ca.pem' }, /^NATS_URL must be set when/],
  [{ NATS_URL: 'nats://a', NATS_CA: '/ca.pem' }, /^NATS_URL must be a tls:\/\/ address/],
  [{ NATS_URL: 'tls://a', NATS_CERT: '/c.pem' }, /^NATS_CERT and NATS_KEY must be set together/],
  [{ NATS_URL: 'nats://u:p@a', NATS_CREDENTIALS: '/c' }, /^NATS_URL must have no user or token/],
])('%o is refused in one sentence', (env, sentence) => {
  const problems: string[] = [];
  readNats(env, problems);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(sentence);
});
