import { expect, test } from 'vitest';
import { openRaw, rawAnswers, rawRequest, type RawAnswer } from '../../support/raw-http.ts';
import { startWorld } from '../../support/world.ts';

const siteBody = '{"name":"smuggled"}';
const sized = `Content-Length: ${siteBody.length}`;
const json = 'Content-Type: application/json';
const chunked = `${siteBody.length.toString(16)}\r\n${siteBody}\r\n0\r\n\r\n`;
/** What an attacker hides behind a request: it must never be answered as anybody's. */
const smuggled = rawRequest('GET /api/admin/orgs HTTP/1.1');
const get = (...headers: string[]) => rawRequest('GET /api/sites HTTP/1.1', headers);
const post = (headers: string[], body: string) => rawRequest('POST /api/sites HTTP/1.1', [json, ...headers], body);

/** An error as the service words it: the envelope and nothing else, and the code that goes with the status. */
function expectEnvelope(answer: RawAnswer | undefined, what: string): void {
  const body = JSON.parse(answer?.body ?? '') as unknown;
  const codes: Record<number, string> = {
    400: 'bad_request',
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
    409: 'conflict',
  };
  expect(body, what).toEqual({
    error: { code: codes[answer?.status ?? 0] ?? 'http_error', message: expect.any(String) },
  });
  expect(answer?.headers.get('content-type')?.[0], what).toMatch(/^application\/json/);
}

test('a request that could be read in two ways gets one answer in the envelope, and nothing after it on its connection is read', async () => {
  await using world = await startWorld();
  const auth = `Authorization: Bearer ${world.orgToken}`;
  const cases: Record<string, [bytes: string, status: number]> = {
    'two hosts': [get(auth, 'Host: 127.0.0.1', 'Host: elsewhere'), 400],
    'two equal hosts': [get(auth, 'Host: 127.0.0.1', 'Host: 127.0.0.1'), 400],
    'no host': [`GET /api/sites HTTP/1.1\r\n${auth}\r\n\r\n`, 400],
    'a host that is none': [get(auth, 'Host: a b@c/d'), 400],
    'two hosts in one': [get(auth, 'Host: 127.0.0.1, elsewhere'), 400],
    'no version': [`GET /api/sites\r\n${auth}\r\n\r\n`, 400],
    'two credentials': [get(auth, auth), 400],
    'an unknown transfer encoding': [post([auth, 'Transfer-Encoding: xchunked'], chunked), 400],
    'an unknown transfer encoding without a body': [post([auth, 'Transfer-Encoding: xchunked'], ''), 400],
    'the identity encoding': [post([auth, 'Transfer-Encoding: identity'], siteBody), 400],
    'two transfer encodings': [post([auth, 'Transfer-Encoding: gzip, chunked'], chunked), 400],
    'chunked twice': [post([auth, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked), 400],
    'chunked behind a vertical tab': [post([auth, 'Transfer-Encoding: \x0bchunked'], chunked), 400],
    'a transfer encoding and a length': [post([auth, 'Transfer-Encoding: chunked', sized], chunked), 400],
    'a length and a transfer encoding': [post([auth, sized, 'Transfer-Encoding: chunked'], chunked), 400],
    'two lengths': [post([auth, sized, 'Content-Length: 3'], siteBody), 400],
    'two equal lengths': [post([auth, sized, sized], siteBody), 400],
    'two lengths in one': [post([auth, `${sized}, ${siteBody.length}`], siteBody), 400],
    'a signed length': [post([auth, `Content-Length: +${siteBody.length}`], siteBody), 400],
    'a negative length': [post([auth, 'Content-Length: -1'], ''), 400],
    'a length in hex': [post([auth, 'Content-Length: 0x13'], siteBody), 400],
    'a length beyond 2^64': [post([auth, 'Content-Length: 99999999999999999999999'], ''), 400],
    'a length of a terabyte': [post([auth, 'Content-Length: 1099511627776'], '{'), 413],
    'a chunk of no length': [post([auth, 'Transfer-Encoding: chunked'], 'zz\r\nhello\r\n0\r\n\r\n'), 400],
    'a chunk of a negative length': [post([auth, 'Transfer-Encoding: chunked'], '-5\r\nhello\r\n0\r\n\r\n'), 400],
    'a chunk with a long extension': [post([auth, 'Transfer-Encoding: chunked'], `5;${'a'.repeat(20_000)}\r\n`), 400],
    'a folded header': [get(auth, 'X-Note: b', '  c'), 400],
    'lines that end bare': [`GET /api/sites HTTP/1.1\nHost: 127.0.0.1\n${auth}\n\n`, 400],
    'one line that ends bare': [`GET /api/sites HTTP/1.1\r\nHost: 127.0.0.1\n${auth}\r\n\r\n`, 400],
    'a bare carriage return': [`GET /api/sites HTTP/1.1\r\nHost: 127.0.0.1\r${auth}\r\n\r\n`, 400],
    'a space before the colon': [get(auth, 'X-Note : b'), 400],
    'a header without a colon': [get(auth, 'X-Note'), 400],
    'NUL in a header': [get(auth, 'X-Note: b\0c'), 400],
    'a control character in a header': [get(auth, 'X-Note: b\x01c'), 400],
    'NUL in a header name': [get(auth, 'X-\0Note: b'), 400],
    'headers of 20 KiB': [get(auth, `X-Note: ${'a'.repeat(20_480)}`), 431],
    '3,000 headers': [get(auth, ...Array.from({ length: 3_000 }, () => 'a:')), 431],
    'a space in the path': [rawRequest('GET /api/si tes HTTP/1.1', [auth]), 400],
    'bytes beyond ASCII in the path': [rawRequest('GET /api/robots/\xc3\xa9 HTTP/1.1', [auth]), 400],
    'two types': [post([auth, sized, json], siteBody), 400],
    'two types, one of them right': [post([auth, sized, 'content-type: text/plain'], siteBody), 400],
    'HTTP/2.0 in the request line': [rawRequest('GET /api/sites HTTP/2.0', [auth]), 400],
    'HTTP/0.9 in the request line': [rawRequest('GET /api/sites HTTP/0.9', [auth]), 400],
    'another version': [rawRequest('GET /api/sites HTTP/1.2', [auth]), 400],
    'the start of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    'a method that HTTP does not know': [rawRequest('BREW /api/sites HTTP/1.1', [auth]), 400],
    'a tunnel': [rawRequest('CONNECT 127.0.0.1:5432 HTTP/1.1', [auth]), 400],
    'the start of TLS': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  };
  for (const [what, [bytes, status]] of Object.entries(cases)) {
    const answers = await rawAnswers(world.port, bytes + smuggled);
    expect(
      answers.map((answer) => answer.status),
      what,
    ).toEqual([status]);
    expect(answers[0]?.headers.get('connection'), what).toEqual(['close']);
    expectEnvelope(answers[0], what);
  }
  expect(await world.count('sites')).toBe(0);
});

test('a path that is not plain and a method that a path lacks get a 4xx or 501 in the envelope, and the connection goes on', async () => {
  await using world = await startWorld();
  const auth = `Authorization: Bearer ${world.orgToken}`;
  const cases: Record<string, [requestLine: string, status: number]> = {
    'the absolute form': ['GET http://127.0.0.1/api/sites HTTP/1.1', 400],
    'the absolute form of another host': ['GET http://elsewhere/api/sites HTTP/1.1', 400],
    'the asterisk form': ['OPTIONS * HTTP/1.1', 400],
    'two slashes': ['GET //api/admin/orgs HTTP/1.1', 400],
    'two slashes inside': ['GET /api//admin/orgs HTTP/1.1', 400],
    'an encoded slash': ['GET /api%2fadmin/orgs HTTP/1.1', 400],
    'an encoded slash in an id': ['GET /api/robots/a%2Fb HTTP/1.1', 400],
    'a backslash': ['GET /api\\admin\\orgs HTTP/1.1', 400],
    'an encoded backslash': ['GET /api/robots/a%5cb HTTP/1.1', 400],
    'a trailing slash': ['GET /api/sites/ HTTP/1.1', 400],
    'dots up': ['GET /api/../api/sites HTTP/1.1', 400],
    'encoded dots up': ['GET /api/%2e%2e/api/sites HTTP/1.1', 400],
    'a dot': ['GET /api/./sites HTTP/1.1', 400],
    'a broken escape': ['GET /api/robots/%zz HTTP/1.1', 400],
    'half an escape': ['GET /api/robots/%e HTTP/1.1', 400],
    'an escape of half a character': ['GET /api/robots/%ff HTTP/1.1', 400],
    'an overlong escape': ['GET /api/robots/%c0%af HTTP/1.1', 400],
    'an escaped surrogate': ['GET /api/robots/%ED%A0%80 HTTP/1.1', 400],
    'an escaped NUL': ['GET /api/robots/%00 HTTP/1.1', 400],
    'an escaped line end': ['GET /api/robots/a%0d%0aX:%20y HTTP/1.1', 400],
    'a fragment': ['GET /api/sites#x HTTP/1.1', 400],
    'an address of 5,000 characters': [`GET /api/robots/${'a'.repeat(5_000)} HTTP/1.1`, 400],
    'other case': ['GET /API/sites HTTP/1.1', 404],
    'other case behind the prefix': ['GET /api/SITES HTTP/1.1', 404],
    'a matrix parameter': ['GET /api/sites;x=y HTTP/1.1', 404],
    'an encoded letter of the prefix': ['GET /%61pi/nothing HTTP/1.1', 404],
    TRACE: ['TRACE /api/sites HTTP/1.1', 405],
    OPTIONS: ['OPTIONS /api/sites HTTP/1.1', 405],
    DELETE: ['DELETE /api/sites HTTP/1.1', 405],
    'POST to a probe': ['POST /healthz HTTP/1.1', 405],
    'TRACE of a probe': ['TRACE /readyz HTTP/1.1', 405],
    'DELETE of the metrics': ['DELETE /metrics HTTP/1.1', 405],
    'TRACE of a page': ['TRACE /docs HTTP/1.1', 404],
    'a method of another protocol': ['PROPFIND /api/sites HTTP/1.1', 501],
  };
  for (const [what, [requestLine, status]] of Object.entries(cases)) {
    using connection = openRaw(world.port);
    connection.send(rawRequest(requestLine, [auth]));
    const answer = await connection.next();
    expect(answer?.status, what).toBe(status);
    expectEnvelope(answer, what);
    if (status === 405) expect(answer?.headers.get('allow')?.[0], what).toMatch(/GET/);
    connection.send(rawRequest('GET /healthz HTTP/1.1'));
    expect((await connection.next())?.body, `what follows ${what}`).toBe('{"status":"ok"}');
  }
});

test('HEAD says what GET would and sends no body', async () => {
  await using world = await startWorld();
  using head = openRaw(world.port, { answersHead: true });
  head.send(rawRequest('HEAD /openapi.json HTTP/1.1') + rawRequest('HEAD /healthz HTTP/1.1', ['Connection: close']));
  expect((await head.next())?.status).toBe(200);
  expect((await head.next())?.status).toBe(200);
  expect(await head.closed).toBe('');

  using refused = openRaw(world.port, { answersHead: true });
  refused.send(
    rawRequest('HEAD /api/sites HTTP/1.1', [`Authorization: Bearer ${world.orgToken}`, 'Connection: close']),
  );
  expect((await refused.next())?.status).toBe(405);
  expect(await refused.closed).toBe('');
});

test('a HEAD request that is refused before it is read gets no body', async () => {
  await using world = await startWorld();
  const auth = `Authorization: Bearer ${world.orgToken}`;
  const path = `/api/artifacts/${'a'.repeat(64)}`;
  const head = (...headers: string[]) => rawRequest(`HEAD ${path} HTTP/1.1`, [auth, ...headers]);
  const cases: Record<string, [bytes: string, status: number]> = {
    'headers of 20 KiB': [head(`X-Note: ${'a'.repeat(20_480)}`), 431],
    '3,000 headers': [head(...Array.from({ length: 3_000 }, () => 'a:')), 431],
    'a space before the colon': [head('X-Note : b'), 400],
    'two lengths': [head('Content-Length: 1', 'Content-Length: 2'), 400],
    'two hosts': [head('Host: 127.0.0.1', 'Host: elsewhere'), 400],
    'another version': [rawRequest(`HEAD ${path} HTTP/2.0`, [auth]), 400],
    'a chunk of no length': [`${head('Transfer-Encoding: chunked')}zz\r\n`, 400],
    'an unknown expectation': [head('Expect: the-unexpected'), 417],
  };
  for (const [what, [bytes, status]] of Object.entries(cases)) {
    using connection = openRaw(world.port, { answersHead: true });
    connection.send(rawRequest('HEAD /healthz HTTP/1.1'));
    expect((await connection.next())?.status, what).toBe(200);
    connection.send(bytes);
    const refused = await connection.next();
    expect(refused?.status, what).toBe(status);
    expect(Number(refused?.headers.get('content-length')?.[0]), what).toBeGreaterThan(0);
    expect(await connection.closed, what).toBe('');
  }
});

test('an expectation that nobody can meet is refused in the envelope, and a body that waits for 100 is asked for', async () => {
  await using world = await startWorld();
  const auth = `Authorization: Bearer ${world.orgToken}`;
  using vain = openRaw(world.port);
  vain.send(post([auth, sized, 'Expect: the-unexpected'], siteBody));
  const refused = await vain.next();
  expect(refused?.status).toBe(417);
  expectEnvelope(refused, 'an unknown expectation');

  using waiting = openRaw(world.port);
  waiting.send(post([auth, sized, 'Expect: 100-continue'], ''));
  expect((await waiting.next())?.status).toBe(100);
  waiting.send(siteBody);
  expect((await waiting.next())?.status).toBe(201);
  expect(await world.count('sites')).toBe(1);
});

test('a request of the other, legal spellings is taken: HTTP/1.0, lower-case names, Chunked, trailers, an empty line before it', async () => {
  await using world = await startWorld();
  const auth = `Authorization: Bearer ${world.orgToken}`;
  const cases: Record<string, [bytes: string, status: number]> = {
    'HTTP/1.0 without a host': [`GET /api/sites HTTP/1.0\r\n${auth}\r\n\r\n`, 200],
    'lower case': [
      get('host: 127.0.0.1', auth.replace('Authorization: Bearer', 'authorization: bearer'), 'connection: close'),
      200,
    ],
    Chunked: [post([auth, 'Transfer-Encoding: Chunked', 'Connection: close'], chunked), 201],
    'an extension and a trailer': [
      post(
        [auth, 'Transfer-Encoding: chunked', 'Connection: close'],
        `13;a=b\r\n${siteBody.replace('smuggled', 'smuggler')}\r\n0\r\nX-After: y\r\n\r\n`,
      ),
      201,
    ],
    'an empty line before it': [`\r\n${get(auth, 'Connection: close')}`, 200],
    'bytes beyond ASCII in a header': [get(auth, 'X-Note: \xff\xfe', 'Connection: close'), 200],
    'an offer of another protocol': [get(auth, 'Connection: Upgrade, close', 'Upgrade: h2c'), 200],
  };
  for (const [what, [bytes, status]] of Object.entries(cases)) {
    const answers = await rawAnswers(world.port, bytes);
    expect(
      answers.map((answer) => answer.status),
      what,
    ).toEqual([status]);
  }
});
