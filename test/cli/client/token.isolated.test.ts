import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../../../cli/client/index.ts';
import { startCutter } from '../../support/cutting-proxy.ts';
import { logRobot } from '../../support/log-robot.ts';
import { robotsOf } from '../../support/robots.ts';
import { startWorld } from '../../support/world.ts';

const baseUrl = 'http://127.0.0.1:1';

test('options with which no call could be made are refused at once, and not by telling the token', () => {
  expect(() => createClient({ baseUrl, token: process.env['NO_SUCH_TOKEN'] })).toThrow('there is no token');
  expect(() => createClient({ baseUrl, token: ' \n' })).toThrow('there is no token');
  expect(() => createClient({ baseUrl, token: 'svc_org_abc\nsvc_org_def' })).toThrow(/^(?!.*svc_).*white space/);
  expect(() => createClient({ baseUrl: 'localhost:8080', token: 'svc_org_abc' })).toThrow('unlike localhost:8080');
});

test('a token may end with the line break of its file', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  const client = createClient({ baseUrl: world.url, token: `${world.orgToken}\n`, WebSocket });
  expect((await client.GET('/api/whoami')).data.orgs[0]?.name).toBe('local');
  for await (const { message } of client.streams.logs(id, { tail: 1 })) {
    expect(message).toBe('one');
    break;
  }
});

test('a function is asked for the token before each call and each connection, the later ones of a stream among them', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: robotToken } = await robotsOf(world).enroll('amr-1');
  await using cutter = await startCutter(world.url, (head) => head.includes('/logs/ws'));
  using robot = await logRobot(world.url, robotToken);
  await robot.say('one');
  let asked = 0;
  let give = () => world.orgToken;
  const token = async () => {
    asked += 1;
    return Promise.resolve(give());
  };
  const client = createClient({ baseUrl: cutter.url, token, WebSocket });
  expect(asked).toBe(0);
  await client.GET('/api/whoami');
  expect(asked).toBe(1);
  const stream = client.streams.logs(id, { tail: 1 });
  expect(await stream.next()).toMatchObject({ value: { message: 'one' } });
  expect(asked).toBe(2);
  // Who gives tokens may be away for a moment, too.
  give = () => {
    give = () => world.orgToken;
    throw new Error('not now');
  };
  cutter.cutAll();
  await robot.say('two');
  expect(await stream.next()).toMatchObject({ value: { message: 'two' } });
  expect(asked).toBe(4);
  await stream.return();

  give = () => {
    throw new Error('signed out');
  };
  await expect(client.GET('/api/whoami')).rejects.toThrow('signed out');
  await expect(client.streams.logs(id, { tail: 1 }).next()).rejects.toThrow('signed out');
});

test('no error tells the token, however it is shown', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll('amr-1');
  const token = `svc_org_${'5ec2e7'.repeat(10)}`;
  const there = createClient({ baseUrl: world.url, token, WebSocket });
  const nowhere = createClient({ baseUrl, token, WebSocket, maxTries: 1 });
  const errors = await Promise.all(
    [
      ...[there, nowhere].flatMap(({ GET, POST, streams }) => [
        ...[GET('/api/whoami'), POST('/api/sites', { body: { name: 'Osaka' } })],
        ...[streams.logs(id, { tail: 1 }).next(), streams.camera(id).next()],
        ...[streams.shell(id), streams.openShell(id)],
      ]),
      createClient({ baseUrl, token: () => `${token}\n${token}` }).GET('/api/whoami'),
    ].map((work: Promise<unknown>) => work.then(String, (error: unknown) => error)),
  );
  expect(errors.map((error) => (error as Error).name)).toEqual([
    ...['ApiError', 'ApiError', 'StreamError', 'StreamError', 'StreamError', 'StreamError'],
    ...['ConnectionError', 'ConnectionError', 'StreamError', 'StreamError', 'StreamError', 'StreamError'],
    'Error',
  ]);
  for (const error of errors)
    expect(JSON.stringify(error) + inspect(error, { depth: Infinity, showHidden: true })).not.toContain('5ec2e7');
});
