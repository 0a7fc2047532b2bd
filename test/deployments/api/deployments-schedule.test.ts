import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { refused, taken } from '../../support/instants.ts';
import { startWorld, type World } from '../../support/world.ts';

/** As the database counts years, from a 29th of February too. */
async function yearsAhead({ db }: World, years: number, ms = 0): Promise<string> {
  const { rows } = await db.raw<{ rows: [{ at: Date }] }>('select now() + make_interval(years => ?) as at', [years]);
  return new Date(rows[0].at.getTime() + ms).toISOString();
}

async function orderer(world: World) {
  const make = factories(world);
  const [release, fleet] = [await make.release(), await make.fleet()];
  let key = 0;
  return (scheduledAt: unknown, ownKey?: string) =>
    world.call('POST', '/api/deployments', {
      body: { release_id: release.id, target_kind: 'fleet', target_id: fleet.id, scheduled_at: scheduledAt },
      headers: { 'Idempotency-Key': ownKey ?? `key-${(key += 1)}` },
    });
}

test('every instant of the table reads back as the same instant, and every other text is refused with a sentence', async () => {
  await using world = await startWorld();
  const order = await orderer(world);
  const [earliest, latest] = [await yearsAhead(world, 0), await yearsAhead(world, 5)];
  const isTaken = async ([text, is]: (typeof taken)[number]) => {
    const answer = await order(text);
    if (is > latest || is < earliest) {
      expect([answer.status, answer.body.error.message], text).toEqual([
        400,
        is > latest
          ? 'body.scheduled_at: more than 5 years ahead'
          : expect.stringMatching(
              /^body\.scheduled_at: [1-9]\d* days? in the past; send a time in the future, or omit it/,
            ),
      ]);
      return;
    }
    expect(answer.status, `${text}: ${answer.text}`).toBe(201);
    expect(answer.body.data.scheduled_at, text).toBe(is);
    const [row] = await world.db('deployments').where({ id: answer.body.data.id }).select('scheduled_at', 'due_at');
    expect(row.scheduled_at.toISOString(), text).toBe(is);
    expect(row.due_at.toISOString(), text).toBe(is);
  };
  const isRefused = async (text: (typeof refused)[number]) => {
    const answer = await order(text);
    expect([answer.status, answer.body.error.code], `${JSON.stringify(text)}: ${answer.text}`).toEqual([
      400,
      'bad_request',
    ]);
    expect(answer.body.error.message, text).toMatch(/^body\.scheduled_at: /);
  };
  // Not all at once: a call that waits three seconds for a connection is told to try again.
  const calls = [...taken.map((each) => () => isTaken(each)), ...refused.map((each) => () => isRefused(each))];
  while (calls.length > 0) await Promise.all(calls.splice(0, 25).map((call) => call()));
});

test('an order may be due up to five years ahead and not a moment later', async () => {
  await using world = await startWorld();
  const order = await orderer(world);
  expect((await order(await yearsAhead(world, 5, -1_000))).status).toBe(201);
  expect((await order(await yearsAhead(world, 5, 60_000))).body.error.message).toBe(
    'body.scheduled_at: more than 5 years ahead',
  );
});

test('an order that is not due waits for its schedule, and one whose instant has passed only to be claimed', async () => {
  await using world = await startWorld();
  const order = await orderer(world);
  const later = (await order(await yearsAhead(world, 1))).body.data;
  expect(later).toMatchObject({ status: 'scheduled', waiting_on: { code: 'schedule', since: later.created_at } });
  const passed = await yearsAhead(world, 0, -30_000);
  const past = (await order(passed)).body.data;
  expect(past).toMatchObject({ status: 'scheduled', scheduled_at: passed });
  expect(past.waiting_on.code).toBe('claim');
  expect(Date.now() - Date.parse(past.waiting_on.since)).toBeLessThan(60_000); // since it is due, which is when it was ordered
});

test('an instant that passed over 60 s ago is refused with how long ago, but not for a key that has its deployment', async () => {
  await using world = await startWorld();
  const order = await orderer(world);
  for (const [ms, text] of [
    [61_000, '1 minute'],
    [2.5 * 3_600_000, '2 hours'],
    [366 * 86_400_000, '366 days'],
  ] as const)
    expect((await order(await yearsAhead(world, 0, -ms))).body.error).toMatchObject({
      code: 'bad_request',
      message: `body.scheduled_at: ${text} in the past; send a time in the future, or omit it to start now`,
    });
  expect((await world.call('GET', '/api/deployments')).body.items).toEqual([]);
  const passing = await yearsAhead(world, 0, -58_500);
  const first = await order(passing, 'mine');
  expect(first.status).toBe(201);
  await expect.poll(async () => (await order(passing)).status, { interval: 200 }).toBe(400);
  const again = await order(passing, 'mine');
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.data.id]).toEqual([
    201,
    'true',
    first.body.data.id,
  ]);
});
