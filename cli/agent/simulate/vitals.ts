import type { HealthSnapshot } from '../../../generated/frames.js';
import { diagnosticsOf } from './diagnostics.ts';
import { missionsOf } from './missions.ts';
import type { Profile } from './profile.ts';
import { between, type Random } from './random.ts';

/** The health values that the agent of one simulated robot would measure. */
interface Vitals {
  /** The values now; they drift with the time since the previous call. */
  measure(): HealthSnapshot;
}

const gib = 1024 ** 3;
/** Above it a robot leaves the charger. */
const chargedAtPercent = 98;
/** Charging is this many times faster than use. */
const chargeFactor = 4;

/**
 * `random` also serves the other parts of the robot. `own` is only for values here that came later, so that a seed gives
 * the same robots as before.
 */
export function vitalsOf(random: Random, own: Random, profile: Profile, startedAtMs: number): Vitals {
  const cores = between(random, 0, 1) < 0.5 ? 4 : 8;
  const totalBytes = (cores === 4 ? 8 : 16) * gib;
  const diskBytes = 58 * gib;
  const bootedAtMs = startedAtMs - between(random, 3_600, 30 * 86_400) * 1000;
  let battery = startOf(profile.battery_percent, between(random, 30, 100));
  let charging = false;
  let cpu = profile.cpu_percent;
  let available = between(random, 0.4, 0.7);
  const usualAvailable = profile.memory_percent === 0 ? 0.55 : 1 - profile.memory_percent / 100;
  if (profile.memory_percent !== 0) available = usualAvailable;
  const usualDiskFree = startOf(profile.disk_free_percent, between(random, 20, 80)) / 100;
  let diskFree = usualDiskFree;
  // So small near 100 that a robot that is always busy stays so.
  const cpuStep = Math.min(6, (100 - profile.cpu_percent) / 4);
  const isStopped = own() * 100 < profile.estop_percent;
  const diagnostics = diagnosticsOf(own, profile);
  const missions = missionsOf(own, profile);
  let mission = missions.pass(0, { isCharging: false, isStopped });
  let [rx, tx] = [0, 0];
  let lastMs = startedAtMs;

  /** A random walk that is pulled back to `home`, so that it stays near without standing still. */
  const drift = (value: number, home: number, step: number, least: number, most: number) =>
    Math.min(most, Math.max(least, value + (home - value) * 0.1 + between(random, -step, step)));

  function pass(minutes: number): void {
    battery += minutes * (100 / profile.battery_minutes) * (charging ? chargeFactor : -1);
    battery = Math.min(100, Math.max(0, battery));
    charging = charging ? battery < chargedAtPercent : battery < profile.charge_below_percent;
    cpu = drift(cpu, charging ? 5 : profile.cpu_percent, cpuStep, 1, 100);
    available = drift(available, usualAvailable, 0.02, 0.01, 0.9);
    diskFree = drift(diskFree, usualDiskFree, 0.001, 0.01, 0.95);
    mission = missions.pass(minutes, { isCharging: charging, isStopped });
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
        temperature: [
          { zone: 'cpu-thermal', celsius: tenths(profile.celsius === 0 ? 35 + cpu * 0.4 : profile.celsius) },
        ],
        battery: {
          percent: tenths(battery),
          status: charging ? 'Charging' : 'Discharging',
          charging,
          voltage: tenths(21 + battery * 0.05),
        },
        net: [{ iface: 'wlan0', rx_bytes: Math.round(rx), tx_bytes: Math.round(tx), up: true }],
        estop: isStopped,
        mission,
        diagnostics,
      };
    },
  };
}

/** `own` is drawn in either case, so that the other values of a seed stay the same. */
const startOf = (percent: number, own: number) => (percent === 0 ? own : percent);

const tenths = (value: number) => Math.round(value * 10) / 10;
