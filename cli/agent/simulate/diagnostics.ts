import type { HealthDiagnostics } from '../../../generated/frames.js';
import type { Profile } from './profile.ts';
import { oneOf, type Random } from './random.ts';

const parts = 12;
const faults = [
  { name: 'lidar_front', message: 'No data for 3 s' },
  { name: 'drive_left', message: 'Overcurrent' },
  { name: 'localization', message: 'Covariance is too large' },
];

/** Diagnostics of one robot, which stay as they are. The share of robots with a fault is that of the profile. */
export function diagnosticsOf(random: Random, profile: Profile): HealthDiagnostics {
  const { diagnostics_error_percent: errors, diagnostics_warn_percent: warnings } = profile;
  const [drawn, fault] = [random() * 100, oneOf(random, faults)];
  const level = drawn < errors ? 'error' : drawn < errors + warnings ? 'warn' : 'ok';
  const counts = { ok: parts, warn: 0, error: 0, stale: 0 };
  if (level === 'ok') return { level, ...counts };
  return { level, ...counts, ok: parts - 1, [level]: 1, items: [{ ...fault, level }] };
}
