import type { Profile } from './profile.ts';
import { between, seeded, untilNext, type Random } from './random.ts';
import type { Counts, Whereabouts } from './tally.ts';
import type { TimerWheel } from './timer-wheel.ts';

interface OutageParts {
  profile: Profile;
  /** The seed of this robot. */
  seed: string;
  random: Random;
  isOftenOffline: boolean;
  wheel: TimerWheel;
  counts: Counts;
  whereabouts(): Whereabouts;
  disconnect(): Promise<void>;
  /** Does nothing once the robot was stopped. */
  connect(): void;
}

const hourMs = 3_600_000;
/** A robot that is often offline is so for the first time within a minute, so that a short run shows it too. */
const firstWithinMs = 60_000;

/** The times that a robot is online, and then offline, in turn. */
export function* longOutages(
  seed: string,
  profile: Profile,
): Generator<{ onlineMs: number; offlineMs: number }, never> {
  const random = seeded(`${seed}/outages`);
  const drawnMs = () => between(random, profile.offline_hours_min, profile.offline_hours_max) * hourMs;
  for (let onlineMs = random() * firstWithinMs; ; onlineMs = drawnMs()) yield { onlineMs, offlineMs: drawnMs() };
}

/** Takes the robot offline and brings it back, by the flaps and the long outages of its profile. */
export function playOutages(parts: OutageParts): void {
  const { profile, seed, random, isOftenOffline, wheel, counts, whereabouts, disconnect } = parts;
  let isInOutage = false;

  const after = (ms: number, act: () => void) => wheel.add({ run: () => (act(), undefined) }, ms);
  function connect(): void {
    if (whereabouts() === 'away' && !isInOutage) parts.connect();
  }

  async function flap(): Promise<void> {
    if (whereabouts() !== 'up') return;
    counts.flaps += 1;
    await disconnect();
    after(between(random, profile.flap_seconds_min, profile.flap_seconds_max) * 1000, connect);
  }

  if (profile.flaps_per_hour > 0) {
    const untilFlap = () => untilNext(random, hourMs / profile.flaps_per_hour);
    const run = () => {
      if (whereabouts() === 'refused') return undefined;
      void flap();
      return untilFlap();
    };
    wheel.add({ run }, untilFlap());
  }

  const outages = longOutages(seed, profile);
  function planOutage(): void {
    const { onlineMs, offlineMs } = outages.next().value;
    after(onlineMs, () => void begin(offlineMs));
  }
  async function begin(offlineMs: number): Promise<void> {
    if (whereabouts() === 'refused') return;
    isInOutage = true;
    counts.outages += 1;
    await disconnect();
    after(offlineMs, () => {
      isInOutage = false;
      connect();
      planOutage();
    });
  }
  if (isOftenOffline) planOutage();
}
