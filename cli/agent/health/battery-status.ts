import type { HealthBattery } from '../../../generated/frames.js';

/**
 * `status` and `charging` of a battery, from the word of its Linux driver or of ROS. A driver that says `Unknown` does not
 * measure whether the battery is charged.
 */
export function batteryStatus(status: string | undefined): Pick<HealthBattery, 'status' | 'charging'> {
  if (!status) return {};
  const isKnown = ['Charging', 'Discharging', 'Not charging', 'Full'].includes(status);
  return { status, ...(isKnown && { charging: status === 'Charging' }) };
}
