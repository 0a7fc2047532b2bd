import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, hostname, networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { hasChanged } from '../../../../cli/agent/health/change.ts';
import { linuxSampler } from '../../../../cli/agent/health/linux.ts';
import { machineSampler } from '../../../../cli/agent/health/sample.ts';
import { heartbeats } from '../../../../cli/agent/heartbeat.ts';
import type { HealthSnapshot } from '../../../../generated/frames.js';
import { agentFrames } from '../../../../generated/frames.js';
import { limits } from '../../../../generated/protocol.js';
import { tempDir } from '../../../support/temp-dir.ts';

test('a sample of this machine agrees with what /proc says, and with the contract', async () => {
  const sample = machineSampler({ agentVersion: 'fleet-agent/test', bootId: 'boot' });
  sample();
  // Busy for a moment, so that there is something to measure.
  for (const until = performance.now() + 200; performance.now() < until;) hostname();
  const health = sample();
  expect(agentFrames.heartbeat({ type: 'heartbeat', health })).toBe(true);
  expect(health.cpu?.cores).toBe(cpus().length);
  expect(health.cpu?.percent).toBeGreaterThan(0);
  const total = /MemTotal:\s+(\d+)/.exec(await readFile('/proc/meminfo', 'utf8'))?.[1];
  expect(health.memory?.total_bytes).toBe(Number(total) * 1024);
  expect(health.disk?.[0]?.path).toBe('/');
  expect(health.os).toMatchObject({ platform: 'linux' });
  expect(health.agent).toMatchObject({ version: 'fleet-agent/test', pid: process.pid });
  const names = Object.keys(networkInterfaces()).filter((name) => name !== 'lo');
  for (const name of names) expect(health.net?.map(({ iface }) => iface)).toContain(name);
  expect(JSON.stringify(health)).not.toContain('null');
});

test('a sample costs less than a millisecond of CPU', () => {
  const sample = linuxSampler();
  for (let round = 0; round < 20; round += 1) sample();
  const before = process.cpuUsage();
  for (let round = 0; round < 200; round += 1) sample();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 200).toBeLessThan(1000);
});

test('sensors, a battery and interfaces are read where there are any, and left out where they fail', async () => {
  await using folder = await tempDir();
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  };
  const empty = linuxSampler(folder.path)();
  expect(Object.keys(empty)).toEqual(['disk']);
  await write('/proc/stat', 'cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1\ncpu1 1\nintr 1\n');
  await write('/proc/loadavg', '0.42 0.40 0.38 1/200 999\n');
  await write('/proc/meminfo', 'MemTotal:  1000 kB\nMemAvailable:  400 kB\nSwapTotal: 100 kB\nSwapFree: 90 kB\n');
  await write('/proc/net/dev', 'Inter-|\n face |\n    lo: 1 1 0 0 0 0 0 0 2\n wlan9: 1234 1 0 0 0 0 0 0 567 1\n');
  await write('/sys/class/net/wlan9/operstate', 'down\n');
  await write('/sys/class/thermal/thermal_zone0/type', 'cpu-thermal\n');
  await write('/sys/class/thermal/thermal_zone0/temp', '51532\n');
  await write('/sys/class/thermal/thermal_zone1/type', 'broken\n');
  await write('/sys/class/power_supply/AC/type', 'Mains\n');
  await write('/sys/class/power_supply/BAT0/type', 'Battery\n');
  await write('/sys/class/power_supply/BAT0/capacity', '81\n');
  await write('/sys/class/power_supply/BAT0/status', 'Discharging\n');
  await write('/sys/class/power_supply/BAT0/voltage_now', '24612000\n');
  const sample = linuxSampler(folder.path);
  expect(sample().cpu).toEqual({ cores: 2, load: [0.42, 0.4, 0.38] });
  await write('/proc/stat', 'cpu  150 0 150 900 0 0 0 0 0 0\ncpu0 1\ncpu1 1\n');
  expect(sample()).toMatchObject({
    cpu: { cores: 2, percent: 50 },
    memory: { total_bytes: 1_024_000, available_bytes: 409_600, swap_used_bytes: 10_240 },
    temperature: [{ zone: 'cpu-thermal', celsius: 51.5 }],
    battery: { percent: 81, status: 'Discharging', charging: false, voltage: 24.61 },
    net: [{ iface: 'wlan9', rx_bytes: 1234, tx_bytes: 567, up: false }],
  });
});

test('whether a battery charges and a disk is read-only is known only from words that say so', async () => {
  await using folder = await tempDir();
  const battery = join(folder.path, 'sys/class/power_supply/BAT0');
  await mkdir(battery, { recursive: true });
  await mkdir(join(folder.path, 'proc/self'), { recursive: true });
  await writeFile(join(battery, 'type'), 'Battery\n');
  await writeFile(join(battery, 'capacity'), '81\n');
  await writeFile(join(folder.path, 'proc/self/mounts'), '/dev/sda1 / ext4 ro,errors=remount-ro 0 0\n');
  const sample = linuxSampler(folder.path);
  const charging = async (status: string) => {
    await writeFile(join(battery, 'status'), `${status}\n`);
    return sample().battery?.charging;
  };
  expect(await charging('Charging')).toBe(true);
  for (const status of ['Discharging', 'Not charging', 'Full']) expect(await charging(status), status).toBe(false);
  expect(await charging('Unknown')).toBeUndefined();
  expect(sample().disk).toMatchObject([{ path: '/', read_only: true }]);
});

const calm: HealthSnapshot = {
  cpu: { percent: 10 },
  memory: { total_bytes: 1000, available_bytes: 500 },
  disk: [{ path: '/', total_bytes: 1000, free_bytes: 500 }],
  temperature: [{ zone: 'cpu', celsius: 50 }],
  battery: { percent: 80, status: 'Full', charging: false },
  estop: false,
  mission: { state: 'active', id: 'm-1', progress_percent: 10 },
  diagnostics: { level: 'warn', ok: 3, warn: 1, items: [{ name: 'a', level: 'warn', message: 'x' }] },
  net: [{ iface: 'eth0', up: true, rx_bytes: 1 }],
  spool: { dropped: 0, bytes: 1 },
};

test.each<[string, HealthSnapshot, boolean]>([
  [
    'a little of everything',
    { ...calm, cpu: { percent: 20 }, net: [{ iface: 'eth0', up: true, rx_bytes: 99 }] },
    false,
  ],
  ['a busy processor', { ...calm, cpu: { percent: 60 } }, true],
  ['less memory', { ...calm, memory: { total_bytes: 1000, available_bytes: 300 } }, true],
  ['a disk that fills', { ...calm, disk: [{ path: '/', total_bytes: 1000, free_bytes: 470 }] }, true],
  ['a disk that is gone', { ...calm, disk: [] }, true],
  ['heat', { ...calm, temperature: [{ zone: 'cpu', celsius: 56 }] }, true],
  ['a battery that empties', { ...calm, battery: { percent: 78, status: 'Full', charging: false } }, true],
  ['a mission that advances', { ...calm, mission: { state: 'active', id: 'm-1', progress_percent: 90 } }, false],
  ['an emergency stop', { ...calm, estop: true }, true],
  ['an emergency stop that is no longer measured', { ...calm, estop: undefined as never }, true],
  ['a mission that failed', { ...calm, mission: { state: 'failed', id: 'm-1' } }, true],
  ['the next mission', { ...calm, mission: { state: 'active', id: 'm-2' } }, true],
  ['a charger', { ...calm, battery: { percent: 80, status: 'Full', charging: true } }, true],
  ['a worse diagnostic', { ...calm, diagnostics: { level: 'error', ok: 3, error: 1 } }, true],
  ['one more diagnostic', { ...calm, diagnostics: { level: 'warn', ok: 4, warn: 1 } }, true],
  ['another text of a diagnostic', { ...calm, diagnostics: { level: 'warn', ok: 3, warn: 1 } }, false],
  [
    'a disk that cannot be written',
    { ...calm, disk: [{ path: '/', total_bytes: 1000, free_bytes: 500, read_only: true }] },
    true,
  ],
  ['a cable that was pulled', { ...calm, net: [{ iface: 'eth0', up: false }] }, true],
  ['records that were dropped', { ...calm, spool: { dropped: 3 } }, true],
  ['another word of a program', { ...calm, extra: { lidar: { ok: false } } }, true],
])('the service hears of %s at once: %o', (_name, now, expected) => {
  expect(hasChanged(calm, now)).toBe(expected);
});

test('an idle robot tells its whole health once, then only that it is alive', () => {
  const beats = heartbeats(() => calm);
  beats.linkBegan();
  expect(beats.next()).toEqual({ type: 'heartbeat', health: calm });
  expect(beats.next()).toEqual({ type: 'heartbeat' });
  beats.linkBegan();
  expect(beats.next()).toHaveProperty('health');
});

test('a snapshot that is too large goes without what the programs of the robot said', () => {
  const beats = heartbeats(() => ({ ...calm, extra: { chatty: 'x'.repeat(limits.maxSnapshotBytes) } }));
  const message = '16397 bytes; a snapshot has at most 16384';
  const health = { ...calm, omitted: [{ part: 'extra', reason: 'too_large', message }] };
  expect(beats.next()).toEqual({ type: 'heartbeat', health });
  expect(agentFrames.heartbeat({ type: 'heartbeat', health })).toBe(true);
});
