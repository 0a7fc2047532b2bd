import type { SpooledRecord } from '../../../generated/frames.js';
import type { Profile } from './profile.ts';
import { between, oneOf, type Random } from './random.ts';

/**
 * Makes up the log lines of a simulated robot, as navigation and drivers write them. The profile sets the share of each
 * level.
 */
export interface Chatter {
  line(seq: number): SpooledRecord;
}

type Line = (random: Random) => { unit: string; message: string };

const metres = (random: Random, most: number) => between(random, 0, most).toFixed(2);
const goal = (random: Random) => `(${metres(random, 80)}, ${metres(random, 40)})`;
const whole = (random: Random, most: number) => String(Math.floor(random() * most));

const lines: Record<'debug' | 'info' | 'warn' | 'error', readonly Line[]> = {
  debug: [
    (r) => ({
      unit: 'nav',
      message: `controller loop took ${between(r, 8, 22).toFixed(1)} ms, ${whole(r, 400)} points in the local map`,
    }),
    (r) => ({ unit: 'lidar', message: `scan ${whole(r, 100_000)} published, ${whole(r, 1_080)} of 1081 ranges valid` }),
  ],
  info: [
    (r) => ({
      unit: 'nav',
      message: `goal ${goal(r)} accepted, path of ${metres(r, 90)} m with ${whole(r, 120)} poses`,
    }),
    (r) => ({ unit: 'nav', message: `reached goal ${goal(r)} in ${between(r, 5, 180).toFixed(1)} s` }),
    (r) => ({ unit: 'dock', message: `docking at station ${whole(r, 24)}, offset ${metres(r, 0.05)} m` }),
    (r) => ({
      unit: 'mission',
      message: `picked tote T-${whole(r, 99_999)} at shelf ${whole(r, 400)}, load ${metres(r, 30)} kg`,
    }),
    (r) => ({
      unit: 'battery',
      message: `pack ${between(r, 22, 28).toFixed(1)} V, ${metres(r, 12)} A, cell spread ${whole(r, 40)} mV`,
    }),
  ],
  warn: [
    (r) => ({ unit: 'nav', message: `no progress for ${whole(r, 9)} s, replanning around an obstacle at ${goal(r)}` }),
    (r) => ({
      unit: 'localization',
      message: `covariance ${between(r, 0.51, 3).toFixed(2)} is above 0.50, relocalizing`,
    }),
    (r) => ({ unit: 'drive', message: `left wheel slips: odometry and IMU differ by ${metres(r, 20)} deg` }),
  ],
  error: [
    (r) => ({
      unit: 'nav',
      message: `path to ${goal(r)} failed: blocked after ${String(2 + Math.floor(r() * 5))} attempts`,
    }),
    (r) => ({ unit: 'lidar', message: `no packet from 192.0.2.10:2368 for ${whole(r, 5_000)} ms` }),
    (r) => ({ unit: 'safety', message: `e-stop pressed, zone ${whole(r, 8)}; motors off` }),
  ],
};

export function chatterOf(random: Random, profile: Profile): Chatter {
  const pids = {
    nav: 812,
    lidar: 640,
    dock: 901,
    mission: 870,
    battery: 655,
    localization: 820,
    drive: 633,
    safety: 601,
  };
  return {
    line(seq) {
      const level = levelBy(random(), profile);
      const { unit, message } = oneOf(random, lines[level])(random);
      const pid = pids[unit as keyof typeof pids];
      return { seq, ts: new Date().toISOString(), level, source: 'journal', message, unit: `${unit}.service`, pid };
    },
  };
}

function levelBy(part: number, { debug_share: debug, warn_share: warn, error_share: error }: Profile) {
  if (part < error) return 'error';
  if (part < error + warn) return 'warn';
  return part < error + warn + debug ? 'debug' : 'info';
}
