import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { hasBrowser } from '../../../../cli/commands/sign-in/browser.ts';
import { newAttempt } from '../../../../cli/commands/sign-in/attempt.ts';
import { listenForBrowser } from '../../../../cli/commands/sign-in/listener.ts';
import { pastedOutcome } from '../../../../cli/commands/sign-in/pasted.ts';
import { openRaw, rawRequest } from '../../../support/raw-http.ts';
import { within } from '../../../support/until.ts';

const code = 'c'.repeat(43);
const other = newAttempt().state;

interface Strange {
  name: string;
  /** The request line and its headers, by the state and the port of the sign-in. */
  line: (state: string, port: number) => string;
  headers?: (port: number) => string[];
  status: number;
}

const get = (query: (state: string) => string) => (state: string) => `GET /callback?${query(state)} HTTP/1.1`;
const good = get((state) => `code=${code}&state=${state}`);
const from = (host: string) => () => [`Host: ${host}`];

const strange: Strange[] = [
  { name: 'another path', line: (state) => `GET /?code=${code}&state=${state} HTTP/1.1`, status: 404 },
  { name: 'a longer path', line: (state) => `GET /callback/x?code=${code}&state=${state} HTTP/1.1`, status: 404 },
  { name: 'a slash more', line: (state) => `GET //callback?code=${code}&state=${state} HTTP/1.1`, status: 404 },
  { name: 'an escaped path', line: (state) => `GET /%63allback?code=${code}&state=${state} HTTP/1.1`, status: 404 },
  { name: 'the icon', line: () => 'GET /favicon.ico HTTP/1.1', status: 404 },
  {
    name: 'an absolute address',
    line: (state, port) => `GET http://127.0.0.1:${port}/callback?code=${code}&state=${state} HTTP/1.1`,
    status: 404,
  },
  { name: 'POST', line: (state) => `POST /callback?code=${code}&state=${state} HTTP/1.1`, status: 405 },
  { name: 'OPTIONS', line: (state) => `OPTIONS /callback?code=${code}&state=${state} HTTP/1.1`, status: 405 },
  { name: 'HEAD', line: (state) => `HEAD /callback?code=${code}&state=${state} HTTP/1.1`, status: 405 },
  { name: 'no query', line: () => 'GET /callback HTTP/1.1', status: 400 },
  { name: 'no state', line: get(() => `code=${code}`), status: 400 },
  { name: 'an empty state', line: get(() => `code=${code}&state=`), status: 400 },
  { name: 'the state of another sign-in', line: get(() => `code=${code}&state=${other}`), status: 400 },
  { name: 'half of the state', line: get((state) => `code=${code}&state=${state.slice(0, 11)}`), status: 400 },
  { name: 'a longer state', line: get((state) => `code=${code}&state=${state}A`), status: 400 },
  { name: 'two states', line: get((state) => `code=${code}&state=${other}&state=${state}`), status: 400 },
  { name: 'no code', line: get((state) => `state=${state}`), status: 400 },
  { name: 'a short code', line: get((state) => `code=${code.slice(1)}&state=${state}`), status: 400 },
  { name: 'a code of other signs', line: get((state) => `code=${code.slice(1)}%0a&state=${state}`), status: 400 },
  { name: 'two codes', line: get((state) => `code=${code}&code=${code}&state=${state}`), status: 400 },
  { name: 'a refusal without state', line: get(() => 'error=access_denied'), status: 400 },
  { name: 'a code and a refusal', line: get((s) => `code=${code}&error=access_denied&state=${s}`), status: 400 },
  { name: 'another error', line: get((state) => `error=server_error&state=${state}`), status: 400 },
  { name: 'a second question mark', line: get((state) => `code=${code}&state=${state}?x=1`), status: 400 },
  { name: 'the name localhost', line: good, headers: (port) => [`Host: localhost:${port}`], status: 400 },
  { name: 'a name that leads here', line: good, headers: (port) => [`Host: evil.example:${port}`], status: 400 },
  { name: 'a host without the port', line: good, headers: from('127.0.0.1'), status: 400 },
  { name: 'another port', line: good, headers: from('127.0.0.1:80'), status: 400 },
];

test('whatever is not the answer of this sign-in is refused, and the sign-in goes on', async () => {
  const attempt = newAttempt();
  const listener = await listenForBrowser(attempt);
  const port = Number(new URL(listener.redirectUri).port);
  for (const { name, line, headers = (own: number) => [`Host: 127.0.0.1:${own}`], status } of strange) {
    using connection = openRaw(port, { answersHead: name === 'HEAD' });
    connection.send(rawRequest(line(attempt.state, port), headers(port)));
    const answer = await connection.next();
    expect([name, answer?.status]).toEqual([name, status]);
    expect(answer?.body ?? '').not.toContain(code);
    await connection.closed;
  }
  // A connection that says nothing, and one that breaks off, hold up nobody.
  using idle = openRaw(port);
  using broken = openRaw(port);
  broken.send('GET /callback?code=');
  const answer = await fetch(`${listener.redirectUri}?code=${code}&state=${attempt.state}`);
  expect(answer.status).toBe(200);
  expect(await listener.outcome).toEqual({ code });
  await within(Promise.all([idle.closed, broken.closed]), 1_000, () => 'a connection was left open');
});

test('its page is the same for everybody, and is kept, framed and told on by nobody', async () => {
  const attempt = newAttempt();
  const listener = await listenForBrowser(attempt);
  const answer = await fetch(`${listener.redirectUri}?code=${code}&state=${attempt.state}&x=<script>`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    connection: 'close',
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await answer.text();
  for (const part of [code, attempt.state, 'script']) expect(page).not.toContain(part);
  expect(page).toContain('Back to the terminal');
});

test('one answer counts, and after it nobody listens', async () => {
  const attempt = newAttempt();
  const listener = await listenForBrowser(attempt);
  const bring = (value: string) =>
    fetch(`${listener.redirectUri}?code=${value}&state=${attempt.state}`).then(
      ({ status }) => status,
      () => 'refused',
    );
  const second = 'd'.repeat(43);
  const answers = await Promise.all([bring(code), bring(second)]);
  expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  expect(await listener.outcome).toEqual({ code: answers[0] === 200 ? code : second });
  expect(await bring(code)).toBe('refused');
});

test('it ends at once, also where the browser keeps its connection', async () => {
  const attempt = newAttempt();
  const listener = await listenForBrowser(attempt);
  const startedAt = performance.now();
  const kept = request(`${listener.redirectUri}?code=${code}&state=${attempt.state}`, {
    headers: { Connection: 'keep-alive' },
  });
  kept.on('error', () => undefined).end(); // and never reads the answer
  await listener.outcome;
  expect(performance.now() - startedAt).toBeLessThan(4_500); // an idle connection is kept for 5 s
  kept.destroy();
});

test('nobody but this machine reaches it', async () => {
  const listener = await listenForBrowser(newAttempt());
  const { port } = new URL(listener.redirectUri);
  expect(listener.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const outside = Object.values(networkInterfaces())
    .flat()
    .flatMap((each) => (each && !each.internal && each.family === 'IPv4' ? [each.address] : []));
  for (const host of ['127.0.0.2', '::1', ...outside]) {
    const refused = await new Promise<string | undefined>((resolve) => {
      const socket = connect({ host, port: Number(port) }, () => resolve('reached'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.on('close', () => socket.destroy());
    });
    expect([host, refused]).not.toEqual([host, 'reached']);
  }
  listener.close();
});

test('a refusal in the browser is an answer too', async () => {
  const attempt = newAttempt();
  const listener = await listenForBrowser(attempt);
  const answer = await fetch(`${listener.redirectUri}?error=access_denied&state=${attempt.state}`);
  expect(await answer.text()).toContain('Not signed in');
  expect(await listener.outcome).toBe('refused');
});

test('what is pasted counts as the code alone or as the whole address of this sign-in', () => {
  const attempt = newAttempt();
  const redirectUri = 'http://127.0.0.1:4711/callback';
  const pasted = (line: string) => pastedOutcome(attempt, redirectUri, line);
  const query = `code=${code}&state=${attempt.state}`;
  for (const line of [code, `  ${code}\r`, `${redirectUri}?${query}`, `${redirectUri}?${query}#`])
    expect(pasted(line), line).toEqual({ code });
  expect(pasted(`${redirectUri}?error=access_denied&state=${attempt.state}`)).toBe('refused');
  const others = [
    'no',
    code.slice(1),
    `${code}=`,
    `${code} ${code}`,
    redirectUri,
    `${redirectUri}?code=${code}`,
    `${redirectUri}?code=${code}&state=${other}`,
    `http://127.0.0.1:4712/callback?${query}`,
    `http://127.0.0.1:4711/other?${query}`,
    `http://evil.example/callback?${query}`,
    `https://127.0.0.1:4711/callback?${query}`,
  ];
  for (const line of others) expect(pasted(line), line).toBeUndefined();
});

test('a browser is opened where who types would see it', () => {
  const desktop = { isOverSsh: false, hasDisplay: true };
  expect(hasBrowser(desktop, 'linux')).toBe(true);
  expect(hasBrowser({ ...desktop, hasDisplay: false }, 'linux')).toBe(false);
  expect(hasBrowser({ ...desktop, isOverSsh: true }, 'linux')).toBe(false);
  expect(hasBrowser({ isOverSsh: false, hasDisplay: false }, 'darwin')).toBe(true);
  expect(hasBrowser({ isOverSsh: true, hasDisplay: false }, 'darwin')).toBe(false);
});
