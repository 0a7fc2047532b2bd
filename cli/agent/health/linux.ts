import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { HealthSnapshot } from '../../../generated/frames.js';
import { batteryStatus } from './battery-status.ts';

type Part = Partial<HealthSnapshot>;

/** How often to look for devices that rarely change; reading one is cheap, finding it is not. */
const findEveryMs = 60_000;
const maxDisks = 8;
const maxInterfaces = 16;

/**
 * Reads the health values of a Linux machine, with 0.2 ms of CPU each time. Missing and unreadable values are left out.
 * `root` is where /proc and /sys are; default: those of the machine.
 */
export function linuxSampler(root = ''): () => Part {
  const text = (path: string) => attempt(() => readFileSync(root + path, 'utf8'));
  let busy: { total: number; idle: number } | undefined;
  let foundAt = -Infinity;
  let found = {
    zones: [] as string[],
    batteries: [] as string[],
    mounts: new Map<string, boolean | undefined>(),
    addresses: new Map<string, string>(),
  };

  function find(): void {
    if (performance.now() - foundAt < findEveryMs) return;
    foundAt = performance.now();
    const list = (path: string) => attempt(() => readdirSync(root + path)) ?? [];
    const supplies = list('/sys/class/power_supply').map((name) => `/sys/class/power_supply/${name}`);
    found = {
      zones: list('/sys/class/thermal')
        .filter((name) => name.startsWith('thermal_zone'))
        .map((name) => `/sys/class/thermal/${name}`),
      batteries: supplies.filter((path) => text(`${path}/type`)?.trim() === 'Battery'),
      mounts: mountsOf(text('/proc/self/mounts') ?? ''),
      addresses: firstAddresses(),
    };
  }

  function cpu(): Part {
    const [line = '', ...others] = (text('/proc/stat') ?? '').split('\n');
    const ticks = line.split(/\s+/).slice(1, 9).map(Number);
    const cores = others.filter((other) => /^cpu\d/.test(other)).length;
    if (cores === 0) return {};
    const total = ticks.reduce((sum, value) => sum + value, 0);
    const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
    const before = busy;
    busy = { total, idle };
    const share = before && total > before.total ? 1 - (idle - before.idle) / (total - before.total) : undefined;
    const load = (text('/proc/loadavg') ?? '').split(' ').slice(0, 3).map(Number);
    return {
      cpu: {
        cores,
        ...(share !== undefined && { percent: round(Math.min(100, Math.max(0, share * 100)), 1) }),
        ...(load.length === 3 && { load }),
      },
    };
  }

  function memory(): Part {
    const lines = text('/proc/meminfo') ?? '';
    const bytes = (name: string) => {
      const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(lines)?.[1];
      return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
    };
    const [total, available, swap, swapFree] = ['MemTotal', 'MemAvailable', 'SwapTotal', 'SwapFree'].map(bytes);
    if (total === undefined) return {};
    return {
      memory: {
        total_bytes: total,
        ...(available !== undefined && { available_bytes: available }),
        ...(swap !== undefined && swapFree !== undefined && { swap_used_bytes: swap - swapFree }),
      },
    };
  }

  function disk(): Part {
    const disks = [...found.mounts].flatMap(([path, isReadOnly]) => {
      const size = attempt(() => statfsSync(path));
      if (!size || size.blocks === 0) return [];
      const bytes = { total_bytes: size.blocks * size.bsize, free_bytes: size.bavail * size.bsize };
      return [{ path, ...bytes, ...(isReadOnly !== undefined && { read_only: isReadOnly }) }];
    });
    return disks.length > 0 ? { disk: disks } : {};
  }

  function temperature(): Part {
    const zones = found.zones.flatMap((path) => {
      const milli = Number(text(`${path}/temp`)?.trim() || Number.NaN);
      const zone = text(`${path}/type`)?.trim();
      return zone && Number.isFinite(milli) ? [{ zone, celsius: round(milli / 1000, 1) }] : [];
    });
    return zones.length > 0 ? { temperature: zones } : {};
  }

  function battery(): Part {
    for (const path of found.batteries) {
      const percent = Number(text(`${path}/capacity`)?.trim() || Number.NaN);
      const status = text(`${path}/status`)?.trim();
      const microvolts = Number(text(`${path}/voltage_now`)?.trim() || Number.NaN);
      if (!Number.isFinite(percent)) continue;
      const voltage = Number.isFinite(microvolts) ? { voltage: round(microvolts / 1e6, 2) } : {};
      return { battery: { percent, ...batteryStatus(status), ...voltage } };
    }
    return {};
  }

  function net(): Part {
    const lines = (text('/proc/net/dev') ?? '').split('\n').slice(2);
    const interfaces = lines.flatMap((line) => {
      const [name = '', rest = ''] = line.split(':');
      const iface = name.trim();
      const counters = rest.trim().split(/\s+/).map(Number);
      const [rx, tx] = [counters[0], counters[8]];
      if (iface === '' || iface === 'lo' || rx === undefined || tx === undefined) return [];
      const state = text(`/sys/class/net/${iface}/operstate`)?.trim();
      const addr = found.addresses.get(iface);
      const up = state === undefined || state === 'unknown' ? {} : { up: state === 'up' };
      return [{ iface, rx_bytes: rx, tx_bytes: tx, ...up, ...(addr !== undefined && { addr }) }];
    });
    return interfaces.length > 0 ? { net: interfaces.slice(0, maxInterfaces) } : {};
  }

  return () => {
    find();
    return { ...cpu(), ...memory(), ...disk(), ...temperature(), ...battery(), ...net() };
  };
}

/**
 * The root and each file system on a device of this machine, once, and whether it is read-only; undefined: unknown. A
 * network file system could block the reader forever.
 */
function mountsOf(mounts: string): Map<string, boolean | undefined> {
  const devices = new Map<string, string>();
  const readOnly = new Map<string, boolean>(); // by path; a later mount hides an earlier one
  for (const line of mounts.split('\n')) {
    const [device = '', escaped = '', , options = ''] = line.split(' ');
    const path = escaped.replace(/\\040/g, ' ');
    readOnly.set(path, options.split(',').includes('ro'));
    const isFile = /^\/(etc|dev|proc|sys|run|snap|boot)(\/|$)/.test(path);
    if (device.startsWith('/dev/') && !device.startsWith('/dev/loop') && !isFile && !devices.has(device))
      devices.set(device, path);
  }
  const paths = [...new Set(['/', ...devices.values()])].slice(0, maxDisks);
  return new Map(paths.map((path) => [path, readOnly.get(path)]));
}

function firstAddresses(): Map<string, string> {
  const all = attempt(() => networkInterfaces()) ?? {};
  return new Map(
    Object.entries(all).flatMap(([name, addresses]) => (addresses?.[0] ? [[name, addresses[0].address] as const] : [])),
  );
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));
