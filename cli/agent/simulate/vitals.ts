import type { HealthSnapshot } from '../../../generated/frames.js';
import type { Profile } from './profile.ts';
import { between, type Random } from './random.ts';

/** The health values that the agent of one simulated robot would measure. */
interface Vitals {
  /** The values now; they drift with the time since the previous call. */
  measure(): HealthSnapshot;
}

const gib = 1024 ** 3;
/** Below the first value a robot charges; above the second it leaves the charger. */
const chargeBelowPercent = 15;
const chargedAtPercent = 98;
/** Charging is this many times faster than use. */
const chargeFactor = 4;

export function vitalsOf(random: Random, profile: Profile, startedAtMs: number): Vitals {
  const cores = between(random, 0, 1) < 0.5 ? 4 : 8;
  const totalBytes = (cores === 4 ? 8 : 16) * gib;
  const diskBytes = 58 * gib;
  const bootedAtMs = startedAtMs - between(random, 3_600, 30 * 86_400) * 1000;
  let battery = startOf(profile.battery_percent, between(random, 30, 100));
  let charging = false;
  let cpu = profile.cpu_percent;
  let available = between(random, 0.4, 0.7);
  let diskFree = startOf(profile.disk_free_percent, between(random, 20, 80)) / 100;
  let [rx, tx] = [0, 0];
  let lastMs = startedAtMs;

  /** A random walk that is pulled back to `home`, so that it stays near without standing still. */
  const drift = (value: number, home: number, step: number, least: number, most: number) =>
    Math.min(most, Math.max(least, value + (home - value) * 0.1 + between(random, -step, step)));

  function pass(minutes: number): void {
    battery += minutes * (100 / profile.battery_minutes) * (charging ? chargeFactor : -1);
    battery = Math.min(100, Math.max(0, battery));
    charging = charging ? battery < chargedAtPercent : battery < chargeBelowPercent;
    cpu = drift(cpu, charging ? 5 : profile.cpu_percent, 6, 1, 100);
    available = drift(available, 0.55, 0.02, 0.05, 0.9);
    diskFree = drift(diskFree, diskFree, 0.001, 0.01, 0.95);
    rx += minutes * between(random, 100_000, 900_000);
    tx += minutes * between(random, 50_000, 300_000);
  }

  return {
    measure() {
      const nowMs = Date.now();
      pass(Math.max(0, nowMs - lastMs) / 60_000);
      lastMs = nowMs;
      return {
        ts: new Date(nowMs).toISOString(),
        uptime_s: Math.round((nowMs - bootedAtMs) / 1000),
        cpu: {
          cores,
          percent: tenths(cpu),
          load: [cpu, cpu * 0.9, cpu * 0.8].map((load) => tenths((load * cores) / 100)),
        },
        memory: { total_bytes: totalBytes, available_bytes: Math.round(totalBytes * available), swap_used_bytes: 0 },
        disk: [{ path: '/', total_bytes: diskBytes, free_bytes: Math.round(diskBytes * diskFree) }],
        temperature: [{ zone: 'cpu-thermal', celsius: tenths(35 + cpu * 0.4) }],
        battery: {
          percent: tenths(battery),
          status: charging ? 'Charging' : 'Discharging',
          voltage: tenths(21 + battery * 0.05),
        },
        net: [{ iface: 'wlan0', rx_bytes: Math.round(rx), tx_bytes: Math.round(tx), up: true }],
      };
    },
  };
}

/** `own` is drawn in either case, so that the other values of a seed stay the same. */
const startOf = (percent: number, own: number) => (percent === 0 ? own : percent);

const tenths = (value: number) => Math.round(value * 10) / 10;
