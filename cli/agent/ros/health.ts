import type { HealthBattery, HealthDiagnostic, HealthDiagnostics } from '../../../generated/frames.js';
import { batteryStatus } from '../health/battery-status.ts';
import { pace } from './pace.ts';
import type { RosSource } from './source.ts';

/** The robot's health according to its graphs. */
interface RosHealth {
  /** The battery that reported last, if it did so in the last 5 minutes. */
  readonly battery: HealthBattery | undefined;
  /** Undefined if there are none. */
  readonly diagnostics: HealthDiagnostics | undefined;
  stop(): void;
}

const types = ['sensor_msgs/BatteryState', 'diagnostic_msgs/DiagnosticArray'];
const mostTopics = 16;
/** Several programs publish diagnostics, each about once a second. */
const perSecond = 20;
const lookEveryMs = 30_000;
const batteryForMs = 300_000;
/** As in ROS's aggregator: a diagnostic that is silent for longer is stale. */
const freshForMs = 60_000;
const mostShown = 16;
const mostNames = 1_000;

const powerSupplyStatus = ['Unknown', 'Charging', 'Discharging', 'Not charging', 'Full'];
const levels = ['ok', 'warn', 'error', 'stale'] as const;
type Level = (typeof levels)[number];
/** A current fault ranks above a stale diagnostic. */
const worstFirst: readonly Level[] = ['error', 'warn', 'stale', 'ok'];
// At most what the contract allows, and so few that all of them leave room in a snapshot.
const mostNameCharacters = 128;
const mostMessageCharacters = 128;
const mostIdCharacters = 64;

/** Looks for topics of these types periodically, and subscribes to them. */
export function rosHealth(sources: readonly RosSource[], everyMs: number = lookEveryMs): RosHealth {
  const ends = new Map<string, () => void>();
  const diagnostics = new Map<string, { level: Level; message: string; hardwareId: string; atMs: number }>();
  let battery: { value: HealthBattery; atMs: number } | undefined;
  let isStopped = false;

  async function look(source: RosSource): Promise<void> {
    const topics = await source.listTopics().catch(() => []);
    if (isStopped) return;
    for (const { name, type } of topics) {
      const key = `${source.url} ${name}`;
      if (!types.includes(type) || ends.has(key) || ends.size >= mostTopics) continue;
      const rate = pace(perSecond);
      const end = source.subscribe(name, { wants: () => rate.take(), message: take, status: () => undefined });
      ends.set(key, end);
    }
  }

  function take(type: string, message: unknown): void {
    const fields = message as Record<string, unknown>;
    if (type === 'sensor_msgs/BatteryState') battery = { value: batteryOf(fields), atMs: performance.now() };
    else if (type === 'diagnostic_msgs/DiagnosticArray' && Array.isArray(fields['status']))
      for (const each of fields['status']) keep(each as Record<string, unknown>);
  }

  function keep({ name, level, message, hardware_id: hardwareId }: Record<string, unknown>): void {
    if (typeof name !== 'string') return;
    diagnostics.delete(name);
    if (diagnostics.size >= mostNames) return;
    diagnostics.set(name, {
      level: levels[Number(level)] ?? 'error',
      message: String(message),
      hardwareId: typeof hardwareId === 'string' ? hardwareId : '',
      atMs: performance.now(),
    });
  }

  const lookAll = () => sources.forEach((source) => void look(source));
  const timer = setInterval(lookAll, everyMs);
  lookAll();

  return {
    get battery() {
      return battery && performance.now() - battery.atMs < batteryForMs ? battery.value : undefined;
    },
    get diagnostics() {
      if (diagnostics.size === 0) return undefined;
      const count = { ok: 0, warn: 0, error: 0, stale: 0 };
      const items: (HealthDiagnostic & { level: Level })[] = [];
      for (const [name, { level: said, message, hardwareId, atMs }] of diagnostics) {
        const level = performance.now() - atMs < freshForMs ? said : 'stale';
        count[level] += 1;
        if (level === 'ok') continue;
        items.push({
          name: name.slice(0, mostNameCharacters),
          level,
          message: message.slice(0, mostMessageCharacters),
          ...(hardwareId !== '' && { hardware_id: hardwareId.slice(0, mostIdCharacters) }),
        });
      }
      const level = worstFirst.find((each) => count[each] > 0) ?? 'ok';
      const worst = items.sort((one, other) => worstFirst.indexOf(one.level) - worstFirst.indexOf(other.level));
      return { level, ...count, ...(worst.length > 0 && { items: worst.slice(0, mostShown) }) };
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      for (const end of ends.values()) end();
    },
  };
}

function batteryOf({ percentage, voltage, power_supply_status: status }: Record<string, unknown>) {
  const word = powerSupplyStatus[Number(status)];
  // 0 to 1, though some drivers report 0 to 100; NaN for an unmeasured value.
  const share = typeof percentage === 'number' && Number.isFinite(percentage) ? percentage : undefined;
  const percent = share === undefined ? undefined : Math.min(100, Math.max(0, share > 1 ? share : share * 100));
  return {
    ...(percent !== undefined && { percent: Number(percent.toFixed(1)) }),
    ...batteryStatus(word),
    ...(typeof voltage === 'number' && Number.isFinite(voltage) && { voltage: Number(voltage.toFixed(2)) }),
  };
}
