import type { HealthSnapshot } from '../../../generated/frames.js';

/** A change of this size is worth a snapshot before the next full minute. */
const noticeable = { cpuPercent: 25, memoryShare: 0.1, diskShare: 0.02, celsius: 5, batteryPercent: 2 };

/** True if the robot's state differs noticeably from the last one sent. */
export function hasChanged(before: HealthSnapshot, now: HealthSnapshot): boolean {
  const far = (one: number | undefined, other: number | undefined, by: number) =>
    (one === undefined) !== (other === undefined) || Math.abs((one ?? 0) - (other ?? 0)) >= by;
  return (
    far(before.cpu?.percent ?? 0, now.cpu?.percent ?? 0, noticeable.cpuPercent) ||
    far(
      before.memory?.available_bytes,
      now.memory?.available_bytes,
      (now.memory?.total_bytes ?? 0) * noticeable.memoryShare || Infinity,
    ) ||
    far(before.battery?.percent, now.battery?.percent, noticeable.batteryPercent) ||
    before.battery?.status !== now.battery?.status ||
    before.battery?.charging !== now.battery?.charging ||
    before.estop !== now.estop ||
    before.mission?.state !== now.mission?.state ||
    before.mission?.id !== now.mission?.id ||
    (['level', 'ok', 'warn', 'error', 'stale'] as const).some(
      (key) => before.diagnostics?.[key] !== now.diagnostics?.[key],
    ) ||
    before.spool?.dropped !== now.spool?.dropped ||
    differ(
      before.disk,
      now.disk,
      ({ path }) => path,
      (one, other) =>
        one.read_only !== other.read_only ||
        far(one.free_bytes, other.free_bytes, (other.total_bytes ?? 0) * noticeable.diskShare || Infinity),
    ) ||
    differ(
      before.temperature,
      now.temperature,
      ({ zone }) => zone,
      (one, other) => far(one.celsius, other.celsius, noticeable.celsius),
    ) ||
    differ(
      before.net,
      now.net,
      ({ iface }) => iface,
      (one, other) => one.up !== other.up || one.addr !== other.addr,
    ) ||
    JSON.stringify(before.extra) !== JSON.stringify(now.extra)
  );
}

/** True if an item was added, removed or changed. */
function differ<T>(
  before: readonly T[] = [],
  now: readonly T[] = [],
  nameOf: (item: T) => string | undefined,
  isOther: (one: T, other: T) => boolean,
): boolean {
  if (before.length !== now.length) return true;
  return now.some((item) => {
    const same = before.find((one) => nameOf(one) === nameOf(item));
    return same === undefined || isOther(same, item);
  });
}
