import { withClient } from './sql.ts';
import { seedFleet } from './fleet-data.ts';

/** Messages as robots write them; `#` stands for a number that changes. */
const templates = [
  'Received goal pose x=#.### y=#.### theta=#.###',
  'Controller loop missed its desired rate of 20.0 Hz: the loop took #.#### s',
  'battery: # % #.## V #.# A, remaining # min',
  'laser scan: # of 1081 beams invalid, range_min=#.### range_max=##.###',
  'Costmap2DROS transform timeout. Current time: ####.####, global_pose stamp: ####.####, tolerance: 0.3000',
  'POST /missions/#/steps/# 200 in # ms',
  'wheel encoder left=####### right=####### delta=#',
  'mqtt: published # bytes to fleet/telemetry, queue # messages',
  'systemd[1]: Started Session # of user robot.',
  'kernel: [#####.######] usb 1-1.#: new high-speed USB device number # using xhci_hcd',
  'docking: marker # seen at #.### m, yaw error #.#### rad',
  'wpa_supplicant[###]: wlan0: CTRL-EVENT-SIGNAL-CHANGE above=1 signal=-## noise=-## txrate=######',
];
const levels = ['info', 'info', 'info', 'info', 'debug', 'debug', 'info', 'info', 'info', 'warn'];
const sources = ['journal', 'ros', 'ros', 'exec:nav', 'file:/var/log/nav.log'];

/** A generator of its own, so that every run has the same text (xorshift32). */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Makes texts of records without the start that `logFrame` writes: the same ones in every run. */
function tailMaker(): (second: number) => string {
  const random = randoms(42);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return (second) => {
    const record = {
      ts: new Date(1_763_716_800_000 + second * 1_000 + random() * 900)
        .toISOString()
        .replace('Z', `${Math.floor(random() * 900 + 100)}Z`),
      level: pick(levels),
      source: pick(sources),
      message: pick(templates).replace(/#/g, () => String(Math.floor(random() * 10))),
      pid: 800 + Math.floor(random() * 8),
    };
    return JSON.stringify(record).slice(1);
  };
}

/** Texts of different records, for `logFrame` and `logLine`. */
export function recordTails(count: number): string[] {
  const make = tailMaker();
  return Array.from({ length: count }, (_each, index) => make(index));
}

/** The text of a `logs` frame as an agent writes it: records from this number on. */
export function logFrame(fromSeq: number, tails: readonly string[]): string {
  const records = tails.map((tail, index) => `{"seq":${fromSeq + index},${tail}`);
  return `{"type":"logs","spool":"spool","from_seq":${fromSeq},"to_seq":${fromSeq + tails.length - 1},"records":[${records.join()}]}`;
}

/** A record as it is stored. */
export const logLine = (tail: string): string => `{${tail}\n`;

/** The text of `logs` frames, one behind the other: each agent's go on where its last one ended. */
export function frameTexts({ agents, frames, lines }: { agents: number; frames: number; lines: number }): string[] {
  const make = tailMaker();
  const texts: string[] = [];
  for (let frame = 0; frame < frames; frame += 1)
    for (let agent = 0; agent < agents; agent += 1) {
      const from = frame * lines + 1;
      const tails = Array.from({ length: lines }, (_each, index) => make(from + index));
      texts.push(logFrame(from, tails));
    }
  return texts;
}

export interface LinkedFleet {
  orgId: string;
  fleetId: string;
  robotIds: string[];
}

/** Robots of one fleet, each with a link of epoch 1. */
export async function seedLinkedFleet(url: string, robots: number): Promise<LinkedFleet> {
  const { orgId, robotIds } = await seedFleet(url, robots);
  return withClient(url, async (client) => {
    await client.query(
      `insert into robot_links (org_id, robot_id, epoch, connected_at, last_seen_at, agent_version, boot_id, instance)
       select org_id, id, 1, now(), now(), 'bench/1', 'bench', 'bench' from robots where org_id = $1`,
      [orgId],
    );
    const { rows } = await client.query<{ id: string }>('select id from fleets where org_id = $1', [orgId]);
    return { orgId, fleetId: rows[0]?.id ?? '', robotIds };
  });
}
