import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionError } from '../../../cli/client/index.ts';
import { clientOf, refusalOf } from '../../support/client-for-others.ts';
import { startFailingFront } from '../../support/failing-proxy.ts';
import { startWorld } from '../../support/world.ts';

/** Has the memory of this process cleaned again and again, as it is in a program with much to do. */
function cleanMemory(): void {
  setFlagsFromString('--expose-gc');
  const clean = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const cleaning = setInterval(clean, 20);
  onTestFinished(() => clearInterval(cleaning));
}

test.each(['silent', 'halted'] as const)(
  'a service that is %s costs a call its time-out, or what its caller has, though memory is cleaned meanwhile',
  async (failure) => {
    await using world = await startWorld();
    await using front = await startFailingFront(world.url);
    cleanMemory();
    front.plan = [failure, failure];
    const client = clientOf(world, { baseUrl: front.url, timeoutSeconds: 1, maxTries: 1 });
    expect(await refusalOf(client.GET('/api/whoami'))).toBeInstanceOf(ConnectionError);
    const patient = clientOf(world, { baseUrl: front.url });
    const call = patient.GET('/api/whoami', { signal: AbortSignal.timeout(500) });
    expect(await refusalOf(call)).toMatchObject({ name: 'TimeoutError' });
  },
);

test('a file that stops coming is given up by its caller, though memory is cleaned meanwhile', async () => {
  await using world = await startWorld();
  await using front = await startFailingFront(world.url);
  cleanMemory();
  const headers = { 'Content-Type': 'application/octet-stream' };
  front.plan = [{ status: 200, headers, text: 'bytes', hangs: true }];
  const ended = new AbortController();
  const params = { path: { sha256: '0'.repeat(64) } };
  const file = await clientOf(world, { baseUrl: front.url }).GET('/api/artifacts/{sha256}', {
    params,
    parseAs: 'stream',
    signal: ended.signal,
  });
  const reader = file?.getReader();
  expect(await reader?.read()).toEqual({ done: false, value: new TextEncoder().encode('bytes') });
  const rest = reader?.read();
  setTimeout(() => ended.abort(), 300);
  await expect(rest).rejects.toMatchObject({ name: 'AbortError' });
});
