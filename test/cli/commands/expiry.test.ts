import { expect, test } from 'vitest';
import { endsSoon, expiryText, expiryTone } from '../../../cli/commands/expiry.ts';
import { signedInHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { testWith } from '../../support/tools.ts';
import { startWorld } from '../../support/world.ts';

const keyLine = ['keys', 'new', '--site', 'Osaka', '--fleet', 'pickers'];
const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

test('without a terminal a key or token without a lifetime never expires, with a warning on stderr', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.fleet();
  await make.user('viewer', 'kim@example.com');
  const tokenLine = ['tokens', 'new', '--user', 'kim@example.com'];
  for (const [noun, words] of [
    ['key', keyLine],
    ['token', tokenLine],
  ] as const) {
    const warned = await home.cli([...words, '--json']);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toBe(
      `Warning: this ${noun} never expires. Set a lifetime with --expires-in-hours <n>, or 0 to confirm that it never expires.\n`,
    );
    expect(JSON.parse(warned.stdout)).not.toHaveProperty('data.expires_at');
    const confirmed = await home.cli([...words, '--json', '--expires-in-hours', '0']);
    expect(confirmed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(confirmed.stdout)).not.toHaveProperty('data.expires_at');
    const bounded = await home.cli([...words, '--json', '--expires-in-hours', '48']);
    expect(bounded).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(bounded.stdout)).toHaveProperty('data.expires_at');
  }
});

testWith('script')('in a terminal a key gets 30 days and a token 90, unless the line says otherwise', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.fleet();
  await make.user('viewer', 'kim@example.com');
  const shown = async (...words: string[]) => (await home.cli([...words, '--no-color'], { columns: 160 })).stdout;
  expect(await shown(...keyLine)).toMatch(/Expires .* UTC, in 30 days; --expires-in-hours 0 for a key that never/);
  expect(await shown('tokens', 'new', '--user', 'kim@example.com')).toMatch(
    /Expires .* UTC, in 90 days; --expires-in-hours 0 for a token that never expires/,
  );
  expect(await shown(...keyLine, '--expires-in-hours', '24')).toMatch(/Expires .* UTC, in 24 hours\r\n/);
  expect(await shown(...keyLine, '--expires-in-hours', '0')).toContain('It never expires, until you revoke it.');
  const { items } = (await world.call('GET', '/api/enrollment-keys')).body;
  const days = (items as { created_at: string; expires_at?: string }[]).map(
    ({ created_at: from, expires_at: to }) => to && Math.round((Date.parse(to) - Date.parse(from)) / (24 * hour)),
  );
  expect(days).toEqual([30, 1, undefined]);
});

testWith('script')('doctor, login and whoami warn of a token that ends soon, and doctor of keys', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.key({ expires_in_hours: 48, label: 'dock 3' });
  const user = await make.user('operator', 'kim@example.com');
  const tokenFor = async (hours: number) =>
    (await world.call('POST', `/api/users/${user.id}/tokens`, { body: { expires_in_hours: hours } })).body.data.value;
  const [near, far] = [await tokenFor(100), await tokenFor(2_000)];
  const login = (token: string) => home.cli(['login', '--base-url', world.url, '--token', '-'], { input: token });
  expect((await login(far)).stderr).not.toContain('expires');
  expect((await login(near)).stderr).toMatch(/The token expires .* UTC, in 4 days\. Replace it: cli login/);
  const who = (token: string) => home.cli(['whoami', '--no-color'], { columns: 160, env: { SERVICE_TOKEN: token } });
  expect((await who(near)).stdout).toMatch(/The token expires .* UTC, in 4 days\. Replace it: cli login/);
  expect((await who(far)).stdout).not.toContain('The token expires');
  const checks = (await home.cli(['doctor'], { env: { SERVICE_TOKEN: near } })).stdout;
  expect(checks).toMatch(/^warn\ttoken\tkim@example\.com .*in 4 days/m);
  expect(checks).toMatch(/^warn\tkeys\t1 key expires within 14 days, first dock 3 at /m);
});

test('a list says when a credential ends, and marks the last 14 days', () => {
  expect(expiryText(undefined)).toBe('');
  expect(expiryText(inHours(121))).toBe('in 5d');
  expect(expiryText(inHours(-1))).toBe('expired');
  expect([undefined, inHours(-1), inHours(13 * 24), inHours(15 * 24)].map(expiryTone)).toEqual([
    undefined,
    'bad',
    'warn',
    undefined,
  ]);
  expect([undefined, 'no time', inHours(-1), inHours(1)].map((at) => endsSoon(at))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
