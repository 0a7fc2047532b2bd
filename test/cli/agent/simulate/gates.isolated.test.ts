import { afterEach, expect, test, vi } from 'vitest';
import type { Order } from '../../../../generated/frames.js';
import { configOrder } from '../../../support/orders.ts';
import { isEnd, players } from './support.ts';

afterEach(() => void vi.useRealTimers());

const low = { battery: { percent: 12, charging: false }, mission: { state: 'idle' }, estop: false };

test('a robot with gates reports what it waits for, and continues when the gate opens', async () => {
  const state = { ...low };
  using played = players({ gates_percent: 100 }, { seeds: ['7/1'], state });
  const [player] = played.all;
  played.give(configOrder([{ key: 'a', value: '1' }]));
  await expect
    .poll(() => player?.last()?.progress?.waiting_on)
    .toEqual({
      holder: 'battery',
      reason: '12 %, needs 30 %',
    });
  expect(player?.last()).toMatchObject({ status: 'downloading' });
  state.battery = { percent: 80, charging: true };
  await expect.poll(() => player?.last()?.status).toBe('applied');
  expect(player?.counts.gate_waits).toBe(1);
});

test('gates stay closed for a mission and an emergency stop; an order may ignore them, and robots may have none or be too old', async () => {
  const order = () => configOrder([{ key: 'a', value: '1' }]);
  const full = { ...low, battery: { percent: 90, charging: true } };
  const waitsOf = async (profile: object, given: Order, state = low) => {
    using played = players(profile, { seeds: ['7/1'], state });
    played.give(given);
    const found = () => played.all[0]?.reports.find((report) => report.progress?.waiting_on ?? isEnd(report));
    await expect.poll(found).toBeDefined();
    return found()?.progress?.waiting_on?.holder ?? found()?.status;
  };
  const gates = { gates_percent: 100 };
  expect(await waitsOf(gates, order(), { ...full, mission: { state: 'active' } })).toBe('mission');
  expect(await waitsOf(gates, order(), { ...full, estop: true })).toBe('estop');
  expect(await waitsOf(gates, { ...order(), ignore_gates: true })).toBe('applied');
  expect(await waitsOf({}, order())).toBe('applied');
  expect(await waitsOf({ ...gates, old_agent_percent: 100 }, order())).toBe('applied');
});

const night = { openings: [{ cron: '0 22 * * *', duration_s: 3_600 }], zone: 'UTC' };
/** A window that is closed now, whenever a test runs. */
const closed = { ...night, at_end: 'finish', blackouts: [{ from: '2000-01-01', to: '2099-12-31' }] };

test('a robot without gates keeps windows, and cancels what the service cancels or gives up meanwhile', async () => {
  const order = configOrder([{ key: 'a', value: '1' }], { window: closed });
  for (const then of [[{ ...order, cancel: true }], []]) {
    using played = players({}, { seeds: ['7/1'] });
    const [player] = played.all;
    played.give(order);
    await expect.poll(() => player?.last()?.progress?.waiting_on?.holder).toBe('window');
    played.give(...then);
    await expect.poll(() => player?.last()?.status).toBe('cancelled');
  }
});

test('an order that is installed when its window ends takes effect, or returns if the window says so', async () => {
  for (const [at_end, end] of [
    ['finish', { status: 'applied' }],
    ['cancel', { status: 'cancelled', reason: 'window_ended' }],
  ] as const) {
    // eslint-disable-next-line no-restricted-properties -- only the date
    vi.useFakeTimers({ now: Date.parse('2026-11-21T22:30:00Z'), toFake: ['Date'] });
    using played = players({ order_seconds: 1 }, { seeds: ['7/1'] });
    const [player] = played.all;
    played.give(configOrder([{ key: 'a', value: '1' }], { window: { ...night, at_end } }));
    await expect.poll(() => player?.last()?.status, { interval: 5 }).toBe('installing');
    vi.setSystemTime(Date.parse('2026-11-21T23:30:00Z'));
    await expect.poll(() => player?.last()).toMatchObject(end);
  }
});
