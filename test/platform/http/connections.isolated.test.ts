import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { bodyMemory } from '../../../src/platform/http/dispatch/limits.ts';
import { openRaw, rawAnswers, rawRequest, type RawAnswer } from '../../support/raw-http.ts';
import { startWorld, type World } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';

const asOrg = (world: World, requestId: string) => [
  `Authorization: Bearer ${world.orgToken}`,
  `X-Request-Id: ${requestId}`,
];

/** A request that makes a site, and says by its id which answer is its own. */
function createSite(world: World, name: string): string {
  const body = JSON.stringify({ name: `${name} ${randomUUID()}` });
  return rawRequest(
    'POST /api/sites HTTP/1.1',
    [...asOrg(world, name), 'Content-Type: application/json', `Content-Length: ${body.length}`],
    body,
  );
}
const whoami = (world: World, requestId: string) => rawRequest('GET /api/whoami HTTP/1.1', asOrg(world, requestId));

const told = (answers: (RawAnswer | undefined)[]) =>
  answers.map((answer) => [answer?.headers.get('x-request-id')?.[0], answer?.status]);

test('requests sent in one go are answered in their order, each with its own answer', async () => {
  await using world = await startWorld();
  using connection = openRaw(world.port);
  connection.send(
    createSite(world, 'one') + whoami(world, 'two') + rawRequest('GET /healthz HTTP/1.1') + createSite(world, 'four'),
  );
  const [one, two, three, four] = [
    await connection.next(),
    await connection.next(),
    await connection.next(),
    await connection.next(),
  ];
  expect(told([one, two, four])).toEqual([
    ['one', 201],
    ['two', 200],
    ['four', 201],
  ]);
  expect(three?.body).toBe('{"status":"ok"}');
  expect(one?.body).toContain('"name":"one ');
  expect(four?.body).toContain('"name":"four ');
});

test('what is no request, sent behind requests that are, never takes their answers', async () => {
  await using world = await startWorld();
  const endings = {
    'a tunnel': rawRequest('CONNECT 127.0.0.1:5432 HTTP/1.1'),
    garbage: 'garbage\r\n\r\n',
    'a bad header': rawRequest('GET /api/whoami HTTP/1.1', ['X-Note : b']),
    'two lengths': rawRequest('POST /api/sites HTTP/1.1', ['Content-Length: 1', 'Content-Length: 2'], '12'),
    'an unknown transfer encoding': rawRequest('POST /api/sites HTTP/1.1', ['Transfer-Encoding: xchunked'], 'x'),
    'a broken chunk': rawRequest(
      'POST /api/sites HTTP/1.1',
      [...asOrg(world, 'broken'), 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
      'zz\r\n',
    ),
  };
  for (const [what, ending] of Object.entries(endings)) {
    const answers = await rawAnswers(world.port, createSite(world, 'made') + whoami(world, 'asked') + ending);
    expect(told(answers.slice(0, 2)), what).toEqual([
      ['made', 201],
      ['asked', 200],
    ]);
    // The broken one may have its own 400 or none at all.
    expect(
      answers.slice(2).filter(({ status }) => status !== 400),
      what,
    ).toEqual([]);
  }
  expect(await world.count('sites')).toBe(Object.keys(endings).length);
});

test('a caller that was refused and does not close its side is cut off', async () => {
  await using world = await startWorld();
  for (const bytes of [rawRequest('CONNECT 127.0.0.1:5432 HTTP/1.1'), 'garbage\r\n\r\n']) {
    const socket = connect({ port: world.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', () => undefined); // the reset by which we learn of it
    socket.write(bytes);
    const drip = setInterval(() => socket.write('a'), 100);
    await expect
      .poll(() => socket.destroyed)
      .toBe(true)
      .finally(() => clearInterval(drip));
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test('a body that was refused unread is never taken for the next request', async () => {
  await using world = await startWorld();
  const hidden = whoami(world, 'hidden');
  const hiding = (requestLine: string, headers: string[]) =>
    rawRequest(requestLine, [...headers, `Content-Length: ${hidden.length}`], hidden) + whoami(world, 'next');
  const cases: Record<string, [bytes: string, status: number]> = {
    'a body of another type': [
      hiding('POST /api/sites HTTP/1.1', [...asOrg(world, 'first'), 'Content-Type: text/plain']),
      415,
    ],
    'a compressed body': [
      hiding('POST /api/sites HTTP/1.1', [
        ...asOrg(world, 'first'),
        'Content-Type: application/json',
        'Content-Encoding: gzip',
      ]),
      415,
    ],
    'a body without a token': [hiding('POST /api/sites HTTP/1.1', ['X-Request-Id: first']), 401],
    'a body to nowhere': [hiding('POST /api/nowhere HTTP/1.1', asOrg(world, 'first')), 404],
    'a body to a method that is none': [hiding('DELETE /api/sites HTTP/1.1', asOrg(world, 'first')), 405],
    'a body to a path that is not plain': [hiding('POST //api/sites HTTP/1.1', asOrg(world, 'first')), 400],
    'a body with a read': [hiding('GET /api/sites HTTP/1.1', asOrg(world, 'first')), 400],
    'a body that is not JSON': [
      hiding('POST /api/sites HTTP/1.1', [...asOrg(world, 'first'), 'Content-Type: application/json']),
      400,
    ],
  };
  for (const [what, [bytes, status]] of Object.entries(cases)) {
    using connection = openRaw(world.port);
    connection.send(bytes);
    const answers = [await connection.next()];
    expect(told(answers), what).toEqual([['first', status]]);
    // Either the connection ends here, or it goes on exactly with the next request.
    if (answers[0]?.headers.get('connection')?.[0] === 'close') expect(await connection.closed, what).toBe('');
    else expect(told([await connection.next()]), what).toEqual([['next', 200]]);
  }
});

test('a body that ends early makes nothing and gets at most one answer', async () => {
  await using world = await startWorld();
  const heads = {
    'by length': ['Content-Length: 100'],
    'by chunks': ['Transfer-Encoding: chunked'],
  };
  for (const [what, headers] of Object.entries(heads)) {
    using connection = openRaw(world.port);
    const body = '{"name":"half"}';
    connection.send(
      rawRequest(
        'POST /api/sites HTTP/1.1',
        [...asOrg(world, 'half'), 'Content-Type: application/json', ...headers],
        what === 'by chunks' ? `f\r\n${body}\r\n` : body,
      ),
    );
    connection.end();
    expect([400, undefined], what).toContain((await connection.next())?.status);
    expect(await connection.closed, what).toBe('');
  }
  expect(await world.count('sites')).toBe(0);
  expect(world.lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});

test('a body beyond 1 MiB is refused as soon as it is, also when it comes in chunks that never end', async () => {
  await using world = await startWorld();
  using connection = openRaw(world.port);
  connection.send(
    rawRequest('POST /api/sites HTTP/1.1', [
      ...asOrg(world, 'endless'),
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]),
  );
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  for (let sent = 0; sent < 20; sent += 1) connection.send(chunk);
  const answer = await connection.next();
  expect(told([answer])).toEqual([['endless', 413]]);
  expect(answer?.headers.get('connection')).toEqual(['close']);
  expect(await connection.closed).toBe('');

  // The largest body that is allowed is read whole: it fails on its name, not on its size.
  const fits = JSON.stringify({ name: 'a'.repeat(1_048_576 - '{"name":""}'.length) });
  expect((await world.call('POST', '/api/sites', { body: fits })).status).toBe(400);
  expect((await world.call('POST', '/api/sites', { body: `${fits} ` })).status).toBe(413);
});

test('the bodies of an org that are in memory have a limit, beyond which they are refused, and not those of others', async () => {
  await using world = await startWorld();
  await using other = await startWorld();
  const whole = 1_048_576;
  const connections = Array.from({ length: 18 }, () => openRaw(world.port));
  const head = [...asOrg(world, 'held'), 'Content-Type: application/json', `Content-Length: ${whole}`];
  for (const { send } of connections) send(rawRequest('POST /api/sites HTTP/1.1', head, ' '.repeat(whole - 1)));
  const answers = connections.map((connection) => connection.next());
  const refused = await Promise.race(answers);
  expect(refused?.status).toBe(429);
  expect(refused?.body).toContain('large bodies at once');
  expect(Number(refused?.headers.get('retry-after')?.[0])).toBeGreaterThan(0);
  expect(refused?.headers.get('connection')).toEqual(['close']);
  expect((await other.call('POST', '/api/sites', { body: { name: 'Osaka' } })).status).toBe(201);
  for (const connection of connections) connection[Symbol.dispose]();
  const large = { name: 'a'.repeat(900_000) };
  await expect.poll(async () => (await world.call('POST', '/api/sites', { body: large })).status).toBe(400);
});

test('the bodies of all orgs in memory have a limit too', () => {
  const bodies = bodyMemory();
  const [mib, share] = [1_048_576, 16];
  const held = ['a', 'b', 'c', 'd'].map((org) => bodies.of(org));
  for (const each of held) for (let count = 0; count < share; count += 1) each.add(mib);
  expect(() => held[0]?.add(1)).toThrow('large bodies at once');
  const late = bodies.of('e');
  expect(() => late.add(1)).toThrow('overloaded');
  late.free();
  held[0]?.free();
  expect(() => bodies.of('e').add(mib)).not.toThrow();
});

test('a connection whose headers do not arrive, or that says nothing at all, is given up within 15 s', async () => {
  await using world = await startWorld();
  using silent = openRaw(world.port);
  using slow = openRaw(world.port);
  slow.send('GET /api/sites HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  const drip = setInterval(() => slow.send('a'), 500);
  try {
    const startedAt = performance.now();
    const answer = await slow.next();
    expect(answer?.status).toBe(408);
    expect(JSON.parse(answer?.body ?? '')).toEqual({ error: { code: 'http_error', message: expect.any(String) } });
    expect(await slow.closed).toBe('');
    await silent.closed;
    expect(performance.now() - startedAt).toBeLessThan(12_000 + promptMs);
  } finally {
    clearInterval(drip);
  }
});
