import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { rawAnswers, rawRequest } from '../../support/raw-http.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';

/** A token of each kind, and the part of each that nobody may read. */
async function tokens(world: World): Promise<{ all: string[]; secrets: string[] }> {
  const make = factories(world);
  const key = await make.key();
  const all = [world.orgToken, await make.userToken('admin'), key.value as string];
  all.push((await make.robot('amr-1', key)).robot_token as string);
  const secrets = all.map((token) => token.replace(/^svc_[a-z]+_/, ''));
  return { all: [...all, world.adminToken], secrets: [...secrets, world.adminToken] };
}

const told = (text: string, secrets: string[]) => secrets.filter((secret) => text.includes(secret));

/** Puts the tokens at every place of a request, most of them wrong. Gives what came back. */
async function callWithTokensEverywhere(world: World, all: string[]): Promise<string> {
  const answers: string[] = [];
  const raw = async (bytes: string) => {
    for (const { headers, body } of await rawAnswers(world.port, bytes.replace('\r\n', '\r\nConnection: close\r\n')))
      answers.push(`${[...headers.values()].join(' ')} ${body}`);
  };
  for (const token of all) {
    const auth = `Authorization: Bearer ${token}`;
    for (const method of ['GET', 'POST', 'DELETE'])
      for (const path of ['/api/whoami', '/api/sites', '/api/admin/stats', '/agent/enroll', '/api/nowhere'])
        answers.push((await world.call(method, path, { token })).text);
    for (const name of ['token', 'access_token', 'limit', token])
      for (const path of ['/api/sites', '/healthz', '/docs', '/nowhere', '/api/robots/x'])
        await raw(rawRequest(`GET ${path}?${name}=${token} HTTP/1.1`, [auth]));
    await raw(rawRequest(`GET /api/robots/${token} HTTP/1.1`, [auth]));
    await raw(rawRequest(`GET /${token} HTTP/1.1`));
    await raw(rawRequest(`GET //api/${token} HTTP/1.1`, [auth]));
    await raw(rawRequest(`GET /api/%zz${token} HTTP/1.1`, [auth]));
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [auth, auth]));
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [`Authorization: Basic ${token}`]));
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [`Authorization: ${token}`]));
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [`Authorization: Bearer ${token},${token}`]));
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [`Authorization: Bearer x${token}`]));
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [auth, `X-Note : ${token}`]));
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [auth, `Host: ${token}`, 'Host: b']));
    await raw(
      rawRequest('GET /api/whoami HTTP/1.1', [
        auth,
        `Cookie: a=${token}`,
        `User-Agent: ${token}`,
        `Referer: http://a/?t=${token}`,
      ]),
    );
    await raw(rawRequest('GET /api/whoami HTTP/1.1', [auth, `X-Service-Org-Id: ${token}`]));
    await raw(rawRequest(`GET /api/whoami HTTP/1.1 ${token}`, [auth]));
    for (const body of [`{"name":"${token}","colour":1}`, `{"${token}":1}`, `{"name":${token}`, token])
      answers.push((await world.call('POST', '/api/sites', { body })).text);
    answers.push((await world.call('POST', '/api/users', { body: { email: token, role: token } })).text);
    answers.push(
      (await world.call('POST', '/api/sites', { body: { name: 'a' }, headers: { 'Content-Type': token } })).text,
    );
  }
  return answers.join('\n');
}

test('no token, wherever a request carries it, stands in a log line, in an answer to it, in the audit log or in the metrics', async () => {
  await using world = await startWorld();
  const { all, secrets } = await tokens(world);
  const answers = await callWithTokensEverywhere(world, all);
  expect(world.lines.length).toBeGreaterThan(100);
  expect(told(world.lines.join(''), secrets)).toEqual([]);
  // An unknown field or parameter is named in its refusal; only the caller reads that, who sent it.
  const named = answers.split('\n').filter((text) => !/unknown (field|parameter) \\"/.test(text));
  expect(told(named.join('\n'), secrets)).toEqual([]);
  expect(told((await world.call('GET', '/api/audit')).text, secrets)).toEqual([]);
  expect(told((await world.call('GET', '/metrics')).text, secrets)).toEqual([]);
});

test('a token sent as the request id is not taken for one: neither the log nor the audit log keeps it', async () => {
  await using world = await startWorld();
  const { all, secrets } = await tokens(world);
  // The admin token has no form by which it could be known.
  for (const token of all.slice(0, -1))
    for (const requestId of [token, `a${token}`, `${token}0`, `trace_${token}_1`]) {
      const headers = { 'X-Request-Id': requestId };
      const made = await world.call('POST', '/api/sites', { body: { name: randomUUID() }, headers });
      expect(made.status).toBe(201);
      await world.call('GET', '/api/whoami', { token: '', headers });
    }
  const written = [...world.lines, (await world.call('GET', '/api/audit')).text];
  expect(told(written.join('\n'), secrets)).toEqual([]);
});

test('a failure inside the service tells no token either, to the log or to the caller', async () => {
  await using world = await startIsolatedWorld();
  const { all, secrets } = await tokens(world);
  // As after a migration gone wrong: what the handlers need is not there.
  await world.db.raw('alter table sites rename to elsewhere; alter table tokens rename column digest to gone');
  await world.db.raw('alter table enrollment_keys rename column digest to gone');
  const answers: string[] = [];
  for (const token of [...all, ...all.map((known) => known.replace(/.{8}$/, '01234567'))]) {
    for (const path of ['/api/sites', '/agent/enroll'])
      answers.push((await world.call('POST', path, { token, body: { name: token } })).text);
  }
  expect(world.lines.filter((line) => /"level":50/.test(line)).length).toBeGreaterThan(0);
  expect(answers.join('')).toContain('internal_server_error');
  expect(answers.join('')).not.toMatch(/relation|column|select|insert|\.ts/i);
  expect(told(world.lines.join(''), secrets)).toEqual([]);
  expect(told(answers.join(''), secrets)).toEqual([]);
});
