import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { signedInEnvironment } from '../../../../cli/command-line/config.ts';
import { writeCredentials } from '../../../../cli/files/credentials.ts';
import { startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { openStores } from '../../../support/stores.ts';
import { startWorld } from '../../../support/world.ts';

test.each([
  ['another sign-in', (url: string) => url, 'credentials.toml has another sign-in, and was not changed'],
  ['another service', () => 'http://127.0.0.1:1', 'credentials.toml is for http://127.0.0.1:1, and was not changed'],
])('a sign-in inside is not written over %s, and says so', async (_, baseUrl, why) => {
  await using world = await startWorld();
  const next = await factories(world).userToken('operator', 'kim@example.com');
  await using stores = await openStores({ url: world.url, token: world.orgToken });
  const { data, mutations } = stores;
  data.whoami.want();
  await writeCredentials(stores.file, 'svc_user_other', baseUrl(world.url));
  const before = await readFile(stores.file, 'utf8');
  expect(await mutations.signIn(next)).toBe(`Signed in until you quit: ${why}.`);
  await expect.poll(() => data.whoami.get().value?.user?.email).toBe('kim@example.com');
  expect(await readFile(stores.file, 'utf8')).toBe(before);
});

test('what a sign-in inside kept is replaced by the next one', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await using stores = await openStores({ url: world.url });
  for (const email of ['ann@example.com', 'kim@example.com']) {
    const token = await made.userToken('operator', email);
    expect(await stores.mutations.signIn(token)).toBe('Signed in.');
    expect(await readFile(stores.file, 'utf8')).toContain(token);
  }
});

test('it goes on with what cli login kept in another terminal, of the same service alone', async () => {
  await using world = await startWorld();
  await using stores = await openStores({ url: world.url });
  const { data, mutations } = stores;
  data.whoami.want();
  await expect.poll(() => data.connection.get().kind).toBe('signedOut');
  await expect(mutations.signInAgain()).rejects.toMatchObject({ message: 'credentials.toml has no sign-in' });
  await writeCredentials(stores.file, world.orgToken, 'http://127.0.0.1:1');
  await expect(mutations.signInAgain()).rejects.toMatchObject({
    message: 'credentials.toml is now for http://127.0.0.1:1',
    hint: expect.stringContaining('start the interface again'),
  });
  expect(data.connection.get().kind).toBe('signedOut');
  await writeCredentials(stores.file, world.orgToken, world.url);
  expect(await mutations.signInAgain()).toBe('Signed in.');
  await expect.poll(() => data.connection.get().kind).toBe('live');
});

test('a line that gets the terminal acts as who signed in, whatever was set and is kept', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await using home = await startHome();
  const [kept, token] = [
    await made.userToken('viewer', 'ann@example.com'),
    await made.userToken('operator', 'kim@example.com'),
  ];
  await home.cli(['login', '--base-url', world.url, '--token', '-'], { input: kept });
  const { SERVICE_TOKEN, SERVICE_PROFILE, TERM } = signedInEnvironment(
    { token, profile: 'default' },
    { SERVICE_TOKEN: world.orgToken, SERVICE_PROFILE: 'prod', TERM: 'xterm' },
  );
  expect(TERM).toBe('xterm');
  const { stdout } = await home.cli(['whoami', '--json', '--base-url', world.url], {
    env: { SERVICE_TOKEN: SERVICE_TOKEN ?? '', SERVICE_PROFILE: SERVICE_PROFILE ?? '' },
  });
  expect(stdout).toContain('kim@example.com');
});
