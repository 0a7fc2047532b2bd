import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { stateOf } from '../../support/agent-process.ts';
import { startHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { operatorOf } from '../../support/operator.ts';
import { otlpReceiver } from '../../support/otlp-receiver.ts';
import { startIsolatedWorld } from '../../support/world.ts';

const packed = new URL('../../fixtures/previous-agent/agent.mjs.gz', import.meta.url);

test('the agent of the previous release enrolls, sends its logs, takes config and another token, and goes on after a refused proof and kill -9', async () => {
  await using collector = await otlpReceiver();
  // Its orders have a trace context, which it ignores.
  await using world = await startIsolatedWorld({ env: collector.env });
  await using home = await startHome();
  const program = join(home.path, 'agent.mjs');
  await writeFile(program, gunzipSync(await readFile(packed)));
  const log = join(home.path, 'nav.log');
  await writeFile(log, 'line 1\n');
  const { value: key } = (await factories(world).key()) as { value: string };
  const flags = ['run', '--backend-url', world.url, '--heartbeat-seconds', '1', '--log-file', log];
  const start = () => home.start(flags, { program, env: { SERVICE_ENROLLMENT_KEY: key } });

  const first = start();
  await first.sees('Connected to');
  const [{ id }] = (await world.call('GET', '/api/robots')).body.items;
  const operator = operatorOf(world);
  const lines = async () =>
    (await world.call('GET', `/api/robots/${id}/logs?source=file:${log}`)).body.items.map(
      ({ message }: { message: string }) => message,
    ) as string[];
  const appliedConfig = async (value: number) => {
    await operator.deployConfig(id, { key: 'nav.max_speed', value });
    await expect.poll(operator.deployment).toMatchObject({ status: 'applied' });
    const stored = await readFile(join(stateOf(home), 'config', 'default.json'), 'utf8');
    expect(JSON.parse(stored)).toEqual({ 'nav.max_speed': value });
  };
  await appendFile(log, 'line 2\n');
  await expect.poll(lines).toContain('line 2');
  await appliedConfig(1.2);

  // Whatever it proves is refused; it is acknowledged as reported, and takes the next order.
  await world.db.raw(`
    create function other_proof() returns trigger language plpgsql as $$ begin new.proof = repeat('0', 64); return new; end $$;
    create trigger other_proof before insert on orders for each row execute function other_proof()`);
  await operator.deployConfig(id, { key: 'nav.max_speed', value: 1.3 });
  await expect.poll(operator.deployment).toMatchObject({ status: 'failed' });
  await world.db.raw('drop trigger other_proof on orders');
  await appliedConfig(1.4);

  const token = async () => (await world.call('GET', '/api/tokens?kind=robot')).body.items[0];
  const before = await token();
  await world.call('POST', `/api/robots/${id}/rotate-token`);
  await expect.poll(async () => (await token()).rotation_wanted_at).toBeUndefined();
  expect((await token()).last_four).not.toBe(before.last_four);

  first.kill('SIGKILL');
  await first.ended;
  await appendFile(log, 'line 3\n');
  const second = start();
  await second.sees('Connected to');
  await expect.poll(lines).toContain('line 3');
  await appliedConfig(1.5);
  const all = await lines();
  expect(all).toEqual([...new Set(all)]);
  second.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});
