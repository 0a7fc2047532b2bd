import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import { connectAgent } from '../support/fake-agent.ts';
import { factories } from '../support/factories.ts';
import { openRaw, rawAnswers } from '../support/raw-http.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, startWorld } from '../support/world.ts';

const handshake = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

const upgradeTo = (target: string, lines: string[] = [], method = 'GET') => {
  const names = new Set(lines.map((line) => line.split(':')[0]));
  const own = ['Host: 127.0.0.1', ...handshake].filter((line) => !names.has(line.split(':')[0]));
  return `${method} ${target} HTTP/1.1\r\n${[...own, ...lines].join('\r\n')}\r\n\r\n`;
};

test('every upgrade that is refused gets an HTTP answer with the envelope, and none of them leaks its token into the log', async () => {
  await using world = await startIsolatedWorld();
  const { robot_token: token } = await robotsOf(world).enroll();
  const enrollKey = (await factories(world).key()).value as string;
  const good = `Authorization: Bearer ${token}`;
  const cases: [string, string, number][] = [
    ['no token', upgradeTo('/agent/ws'), 401],
    ['a token of nobody', upgradeTo(`/agent/ws?token=svc_robot_${'0'.repeat(64)}`), 401],
    ['no token of ours', upgradeTo('/agent/ws?token=x'), 401],
    ['an empty token', upgradeTo('/agent/ws?token='), 401],
    ['an org token', upgradeTo(`/agent/ws?token=${world.orgToken}`), 403],
    ['an enrollment key', upgradeTo(`/agent/ws?token=${enrollKey}`), 403],
    ['the admin token', upgradeTo('/agent/ws', [`Authorization: Bearer ${world.adminToken}`]), 403],
    ['two credentials', upgradeTo(`/agent/ws?token=${token}`, [good]), 400],
    ['a token twice', upgradeTo(`/agent/ws?token=${token}&token=${token}`), 400],
    ['another parameter', upgradeTo(`/agent/ws?token=${token}&debug=1`), 400],
    ['an unknown path', upgradeTo('/agent/elsewhere', [good]), 404],
    ['an unknown path without a token', upgradeTo('/agent/elsewhere'), 401],
    ['a page', upgradeTo('/docs', [good]), 404],
    ['a doubled slash', upgradeTo('//agent/ws', [good]), 400],
    ['another method', upgradeTo('/agent/ws', [good], 'POST'), 405],
    ['another origin', upgradeTo('/agent/ws', [good, 'Origin: https://evil.example']), 403],
    ['an opaque origin', upgradeTo('/agent/ws', [good, 'Origin: null']), 403],
    ['another port', upgradeTo('/agent/ws', [good, 'Origin: http://127.0.0.1:81']), 403],
    ['another version', upgradeTo('/agent/ws', [good, 'Sec-WebSocket-Version: 8']), 426],
    ['a short key', upgradeTo('/agent/ws', [good, 'Sec-WebSocket-Key: AAAA']), 400],
    ['another org', upgradeTo('/agent/ws', [good, `X-Service-Org-Id: ${randomUUID()}`]), 404],
    ['two hosts', upgradeTo('/agent/ws', [good, 'Host: a', 'Host: b']), 400],
  ];
  const told = [...asyncapi.channels.agentLink.description.matchAll(/^\| (\d{3})\b/gm)].map(([, status]) =>
    Number(status),
  );
  expect(told).not.toContain(409);
  for (const [what, bytes, status] of cases) {
    if (bytes.startsWith('GET /agent/ws')) expect(told, what).toContain(status);
    const [answer, more] = await rawAnswers(world.port, bytes);
    expect(answer?.status, what).toBe(status);
    expect(JSON.parse(answer?.body ?? ''), what).toEqual({
      error: { code: expect.any(String), message: expect.any(String) },
    });
    expect(answer?.headers.get('x-request-id'), what).toHaveLength(1);
    expect(more, what).toBeUndefined();
  }
  expect(world.lines.join('\n')).not.toMatch(/svc_[a-z]+_[0-9a-f]{64}/);
  const { text } = await world.call('GET', '/metrics', { token: '' });
  expect(text).toContain('fleet_refused_upgrades_total{status="404"} 3');
});

test('a plain request for the link is told to upgrade, with a token or without, and another method what it must be', async () => {
  await using world = await startWorld();
  const { robot_token: token } = await robotsOf(world).enroll();
  const plain = async (method: string, line: string) => {
    using connection = openRaw(world.port);
    connection.send(`${method} /agent/ws HTTP/1.1\r\nHost: 127.0.0.1\r\n${line}\r\n\r\n`);
    return await connection.next();
  };
  for (const line of ['Accept: */*', `Authorization: Bearer ${token}`, 'Connection: Upgrade\r\nUpgrade: h2c']) {
    const answer = await plain('GET', line);
    expect(answer?.status, line).toBe(426);
    expect(answer?.headers.get('upgrade'), line).toEqual(['websocket']);
    expect(answer?.headers.get('connection'), line).toEqual(['Upgrade']);
    expect(JSON.parse(answer?.body ?? ''), line).toEqual({
      error: { code: 'http_error', message: expect.stringContaining('accepts only WebSocket') as string },
    });
  }
  const post = await plain('POST', 'Content-Length: 0');
  expect([post?.status, post?.headers.get('allow')]).toEqual([405, ['GET']]);
});

test('the token goes in the header or in the query, and a page of the same origin may connect', async () => {
  await using world = await startWorld();
  const { robot_token: token } = await robotsOf(world).enroll();
  for (const options of [{}, { inQuery: true }, { headers: { Origin: world.url } }]) {
    using agent = await connectAgent(world.url, token, options);
    agent.hello();
    await agent.next('welcome');
    agent.socket.close();
    await agent.closed;
  }
  const bytes = upgradeTo('/agent/ws', [`Authorization: Bearer ${token}`, 'X-Request-Id: mine-1']);
  using connection = openRaw(world.port);
  connection.send(bytes);
  const answer = await connection.next();
  expect(answer?.status).toBe(101);
  expect(answer?.headers.get('sec-websocket-accept')).toEqual(['s3pPLMBiTxaQ9kYGzzhZRbK+xOo=']);
  expect(answer?.headers.get('x-request-id')).toEqual(['mine-1']);
  expect(answer?.headers.get('x-service-org-id')).toEqual([world.orgId]);
});

/** One masked text frame, the mask being zero. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126 ? [0x81, 0x80 | payload.length] : [0x81, 0xfe, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}

test('bytes that an agent sends before it has the answer are not lost', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { flushEveryMs: 50 } });
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  const frames = [
    '{"type":"hello","protocol":1,"agent_version":"a","boot_id":"b"}',
    '{"type":"heartbeat","health":{"uptime_s":5}}',
  ];
  using connection = openRaw(world.port);
  const upgrade = Buffer.from(upgradeTo('/agent/ws', [`Authorization: Bearer ${robot.robot_token}`]));
  connection.send(Buffer.concat([upgrade, ...frames.map(textFrame)]));
  expect((await connection.next())?.status).toBe(101);
  await expect.poll(async () => (await robots.health(robot)).snapshot).toEqual({ uptime_s: 5 });
});

test('an offer of HTTP/2 with a body is answered as the HTTP/1.1 request that it is', async () => {
  await using world = await startWorld();
  const body = JSON.stringify({ name: 'Osaka' });
  const [answer] = await rawAnswers(
    world.port,
    [
      'POST /api/sites HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${world.orgToken}`,
      'Connection: Upgrade, HTTP2-Settings, close',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
  expect(answer?.status).toBe(201);
});

test('an upgrade behind a request that is not answered yet ends the connection, not their order', async () => {
  await using world = await startWorld();
  const { robot_token: token } = await robotsOf(world).enroll();
  const get = `GET /api/sites HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${world.orgToken}\r\n\r\n`;
  using connection = openRaw(world.port);
  connection.send(get + upgradeTo('/agent/ws', [`Authorization: Bearer ${token}`]));
  expect((await connection.closed).includes('101')).toBe(false);
});
