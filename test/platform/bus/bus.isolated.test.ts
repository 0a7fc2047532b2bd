import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { createBus } from '../../../src/platform/bus/create-bus.ts';
import type { Bus, Hint } from '../../../src/platform/bus/bus.ts';
import { writeMessage } from '../../../src/platform/bus/hint.ts';
import { readNats } from '../../../src/platform/bus/nats-settings.ts';
import { inTransaction } from '../../../src/platform/db/transaction.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { startNats } from '../../support/nats.ts';
import { testWith } from '../../support/tools.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../../support/world.ts';

type Kind = 'NOTIFY' | 'NATS';
const both: readonly [Kind, (...tools: string[]) => typeof test][] = [
  ['NOTIFY', () => test],
  ['NATS', () => testWith('nats-server')],
];

/** The name is a part of a subject of NATS. */
const hintOf = (orgId: string): Hint => ({ topic: 'access_changed', orgId });

/** The bus of another replica on the world's database, and what it heard. */
async function replica({ connection }: IsolatedWorld, url?: string) {
  const lines: string[] = [];
  const log = createLogger('info', [], (line) => void lines.push(line));
  const bus = createBus({ connection, log, nats: readNats(url === undefined ? {} : { NATS_URL: url }, []) });
  const heard: string[] = [];
  let resets = 0;
  bus.subscribe({ hint: ({ orgId }) => void heard.push(orgId), reset: () => void (resets += 1) });
  await bus.start();
  await expect.poll(() => bus.up).toBe(true);
  return {
    bus,
    heard,
    lines,
    resets: () => resets,
    [Symbol.asyncDispose]: () => bus.close(),
  };
}

/** Two replicas that hear each other; the transport of NATS is a server of its own. */
async function pair(kind: Kind, world: IsolatedWorld) {
  const nats = kind === 'NATS' ? await startNats() : undefined;
  const url = nats && `nats://127.0.0.1:${nats.port}`;
  const [here, there] = await Promise.all([replica(world, url), replica(world, url)]);
  return {
    here,
    there,
    nats,
    async [Symbol.asyncDispose]() {
      await Promise.all([here.bus.close(), there.bus.close()]);
      await nats?.[Symbol.asyncDispose]();
    },
  };
}

/** In a transaction that also runs `also`. Without rows in the log, only NOTIFY or NATS can bring the hints. */
const announce = ({ db }: IsolatedWorld, bus: Bus, hints: Hint[], also?: 'select 1 / 0' | 'delete from hints') =>
  inTransaction(db, async (trx) => {
    const announced = bus.announcing(trx, hints);
    const closing = [...announced.closing, ...(also ? [trx.raw(also)] : [])];
    return { result: undefined, ...announced, closing };
  });

for (const [kind, testOf] of both) {
  testOf()(`${kind}: a hint reaches every replica once, its own one too`, async () => {
    await using world = await startIsolatedWorld();
    await using replicas = await pair(kind, world);
    const { here, there } = replicas;
    await announce(world, here.bus, [hintOf('first'), hintOf('second')]);
    await announce(world, here.bus, [hintOf('unlogged')], 'delete from hints');
    await expect.poll(() => there.heard).toEqual(['first', 'second', 'unlogged']);
    await expect.poll(() => here.heard).toEqual(['first', 'second', 'unlogged']);
    await announce(world, there.bus, [hintOf('back')]);
    await expect.poll(() => here.heard.at(-1)).toBe('back');
    await sleep(2_500); // the log is read twice
    expect([here.heard.length, there.heard.length]).toEqual([4, 4]);
  });

  testOf()(`${kind}: a hint of a transaction that is rolled back reaches nobody`, async () => {
    await using world = await startIsolatedWorld();
    await using replicas = await pair(kind, world);
    const { here, there } = replicas;
    await expect(announce(world, here.bus, [hintOf('never')], 'select 1 / 0')).rejects.toThrow('division by zero');
    await announce(world, here.bus, [hintOf('after')]);
    await expect.poll(() => there.heard).toEqual(['after']);
    await sleep(1_500);
    expect([...here.heard, ...there.heard]).toEqual(['after', 'after']);
  });

  testOf()(`${kind}: a hint that is lost on the way is read from the log`, async () => {
    await using world = await startIsolatedWorld();
    await using replicas = await pair(kind, world);
    const lost = writeMessage({ id: newId(), hint: hintOf('lost') });
    await world.db.raw('insert into hints (hint) values (?)', [lost]);
    await expect
      .poll(() => [...replicas.here.heard, ...replicas.there.heard], { timeout: 5_000 }) // the log is read each second
      .toEqual(['lost', 'lost']);
  });

  testOf()(`${kind}: what is only sent reaches every replica, and is not recorded`, async () => {
    await using world = await startIsolatedWorld();
    await using replicas = await pair(kind, world);
    const { here, there } = replicas;
    await here.bus.send(world.db, [hintOf('sent')]);
    await expect.poll(() => [...here.heard, ...there.heard]).toEqual(['sent', 'sent']);
    expect(await world.count('hints')).toBe(0);
  });
}

testWith('nats-server')(
  'while NATS is killed, hints come a second late, and it says so once; then they are fast again',
  async () => {
    await using world = await startIsolatedWorld();
    await using replicas = await pair('NATS', world);
    const { here, there, nats } = replicas;
    await nats?.stop();
    await expect.poll(() => [here.bus.up, there.bus.up]).toEqual([false, false]);
    await announce(world, here.bus, [hintOf('late')]);
    await expect.poll(() => there.heard).toEqual(['late']);
    expect(there.lines.filter((line) => line.includes('NATS does not work'))).toHaveLength(1);
    await nats?.start();
    await expect.poll(() => [here.bus.up, there.bus.up]).toEqual([true, true]);
    await announce(world, here.bus, [hintOf('soon')]);
    await expect.poll(() => there.heard).toEqual(['late', 'soon']);
    expect(there.resets()).toBe(1); // that of the start: none was lost
  },
);

testWith('nats-server')('a NATS that hangs counts as down, and one that begins later is used then', async () => {
  await using world = await startIsolatedWorld();
  await using nats = await startNats();
  await nats.stop();
  const url = `nats://127.0.0.1:${nats.port}`;
  const bus = createBus({
    connection: world.connection,
    log: createLogger('silent'),
    nats: readNats({ NATS_URL: url }, []),
  });
  await bus.start();
  expect(bus.up).toBe(false);
  await nats.start();
  await expect.poll(() => bus.up).toBe(true);
  nats.signal('SIGSTOP');
  await expect.poll(() => bus.up).toBe(false);
  nats.signal('SIGCONT');
  await expect.poll(() => bus.up).toBe(true);
  await bus.close();
});

testWith('nats-server')('a replica with NATS and one without hear each other within a second or two', async () => {
  await using world = await startIsolatedWorld();
  await using nats = await startNats();
  await using over = await replica(world, `nats://127.0.0.1:${nats.port}`);
  await using plain = await replica(world);
  await announce(world, over.bus, [hintOf('nats')]);
  await announce(world, plain.bus, [hintOf('notify')]);
  await expect
    .poll(() => [over.heard.sort(), plain.heard.sort()])
    .toEqual([
      ['nats', 'notify'],
      ['nats', 'notify'],
    ]);
});

testWith('nats-server')(
  'beside a replica of an earlier release, hints also travel by NOTIFY, and caches are not trusted',
  async () => {
    await using world = await startIsolatedWorld();
    await using nats = await startNats();
    await using over = await replica(world, `nats://127.0.0.1:${nats.port}`);
    await using plain = await replica(world);
    await world.db.raw(
      `insert into replicas (id, lease_until) values ('0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c77', now() + interval '1 hour')`,
    );
    await expect.poll(() => over.bus.up).toBe(false);
    await announce(world, over.bus, [hintOf('both')], 'delete from hints');
    await expect.poll(() => plain.heard).toEqual(['both']);
    await world.db('replicas').where({ id: '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c77' }).delete();
    await expect.poll(() => over.bus.up).toBe(true);
  },
);

testWith('nats-server')('a message that is not ours, too long or malformed changes nothing', async () => {
  await using world = await startIsolatedWorld();
  await using nats = await startNats();
  await using over = await replica(world, `nats://127.0.0.1:${nats.port}`);
  const stranger = await connect({ servers: `127.0.0.1:${nats.port}` });
  let subject = '';
  for await (const check of stranger.subscribe('fleet.hints.>', { max: 1 }))
    subject = check.subject.replace(/check-.*/, '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01');
  const long = JSON.stringify({ ...hintOf('x'), id: 'y'.repeat(2_000) });
  for (const text of ['', 'null', '{', '[]', '{"topic":"access_changed"}', long]) stranger.publish(subject, text);
  stranger.publish(subject.replace(/[0-9a-f]{16}/, '0123456789abcdef'), JSON.stringify(hintOf('elsewhere')));
  stranger.publish(subject, JSON.stringify(hintOf('good')));
  await stranger.flush();
  await expect.poll(() => over.heard).toEqual(['good']);
  await stranger.close();
});

testWith('nats-server')('a bus is closed while its NATS is killed or hangs', async () => {
  await using world = await startIsolatedWorld();
  for (const fault of ['stop', 'hang']) {
    await using nats = await startNats();
    const { bus } = await replica(world, `nats://127.0.0.1:${nats.port}`);
    if (fault === 'stop') await nats.stop();
    else nats.signal('SIGSTOP');
    await expect.poll(() => bus.up).toBe(false);
    await bus.close();
    nats.signal('SIGCONT');
  }
});

test('a server that accepts connections and says nothing counts as down, and nothing of it stays open', async () => {
  await using world = await startIsolatedWorld();
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const log = createLogger('info', [], (line) => void lines.push(line));
  const bus = createBus({ connection: world.connection, log, nats: readNats({ NATS_URL: url }, []) });
  await bus.start();
  await expect.poll(() => lines.some((line) => line.includes('does not respond'))).toBe(true);
  expect(bus.up).toBe(false);
  await bus.close();
  await expect.poll(() => open.size).toBe(0);
  server.close();
});

for (const right of ['publish', 'subscribe'])
  testWith('nats-server')(
    `a user without the right to ${right} makes it count as down, until there is the right`,
    async () => {
      await using world = await startIsolatedWorld();
      const user = (rights: string) =>
        `authorization { users: [{ user: fleet, password: word, permissions: { ${rights} } }] }`;
      await using nats = await startNats(user(`${right}: { deny: "fleet.>" }`));
      const lines: string[] = [];
      const log = createLogger('info', [], (line) => void lines.push(line));
      const NATS_URL = `nats://fleet:word@127.0.0.1:${nats.port}`;
      const bus = createBus({ connection: world.connection, log, nats: readNats({ NATS_URL }, []) });
      await bus.start();
      await expect.poll(() => lines.filter((line) => /permissions violation/i.test(line))).toHaveLength(1);
      await sleep(2_500); // it is tried again
      expect([bus.up, lines.filter((line) => line.includes('NATS')).length]).toEqual([false, 1]);
      await nats.stop();
      await nats.start(user('publish: "fleet.hints.>", subscribe: "fleet.hints.>"'));
      await expect.poll(() => bus.up).toBe(true);
      await bus.close();
    },
  );

test('a transaction that stays open while thousands of hints come hides none, and its own ones come at its end', async () => {
  await using world = await startIsolatedWorld();
  await using here = await replica(world);
  const long = await world.db.transaction();
  const insert = 'insert into hints (hint) select * from unnest(?::text[])';
  const texts = (name: string, count: number) =>
    Array.from({ length: count }, (_each, index) => writeMessage({ id: newId(), hint: hintOf(`${name}-${index}`) }));
  await long.raw(insert, [texts('long', 3)]);
  for (let round = 0; round < 3; round += 1) {
    await world.db.raw(insert, [texts(`round-${round}`, 3_000)]);
    await expect.poll(() => here.heard.length).toBe(3_000 * (round + 1));
  }
  await long.commit();
  await expect.poll(() => here.heard.slice(9_000)).toEqual(['long-0', 'long-1', 'long-2']);
  await world.db.raw(insert, [texts('too-many', 10_001)]);
  await expect.poll(() => here.resets()).toBe(2);
  expect(here.heard).toHaveLength(9_003);
});
