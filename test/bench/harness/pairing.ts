/** What the two sides of one round gave. */
export interface Round<Sample> {
  ours: Sample;
  peer: Sample;
}

export interface Pairing<Sample> {
  /** Rounds that count. */
  rounds: number;
  /** Rounds run first and forgotten, so that both sides are compiled by the JIT and the caches are full. Default 1. */
  warmUps?: number;
  ours: () => Promise<Sample>;
  peer: () => Promise<Sample>;
  /** 0 up to 1, for the side that goes first. Default `Math.random`. */
  random?: () => number;
}

/**
 * Runs both sides in each round, never at once: what the machine does beside us then falls on both, and a ratio taken
 * within one round survives a clock or a neighbour that changes between rounds. Which side goes first is random in each
 * round, so that neither always meets what the other left behind.
 */
export async function pair<Sample>(pairing: Pairing<Sample>): Promise<Round<Sample>[]> {
  const { rounds, warmUps = 1, ours, peer, random = Math.random } = pairing;
  const all: Round<Sample>[] = [];
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (random() < 0.5) {
      all.push({ ours: await ours(), peer: await peer() });
    } else {
      const first = await peer();
      all.push({ ours: await ours(), peer: first });
    }
  }
  return all.slice(warmUps);
}

/** The same items in random order. */
export const shuffled = <Item>(items: readonly Item[], random: () => number = Math.random): Item[] =>
  items
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

/**
 * The least of `times` runs: for short spans of wall time, which a neighbour on the machine can only lengthen. It stands for one sample.
 */
export function fastestOf(times: number, run: () => Promise<number>): () => Promise<number> {
  return async () => {
    let fastest = Infinity;
    for (let time = 0; time < times; time += 1) fastest = Math.min(fastest, await run());
    return fastest;
  };
}

/** One figure out of each sample. */
export function pick<Sample>(rounds: readonly Round<Sample>[], figure: (sample: Sample) => number): Round<number>[] {
  return rounds.map(({ ours, peer }) => ({ ours: figure(ours), peer: figure(peer) }));
}

/** Medians of both sides, and the median of the per-round ratios with its extremes. Throws without rounds. */
export function summarise(rounds: readonly Round<number>[]) {
  const ratios = rounds.map(({ ours, peer }) => ours / peer);
  return {
    ours: median(rounds.map(({ ours }) => ours)),
    peer: median(rounds.map(({ peer }) => peer)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)] as const,
  };
}

/** The middle value, the mean of the two middle ones for an even count. Throws for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('no rounds were measured');
  return (lower + upper) / 2;
}

/** The value below which `share` (0–1) of the values lie, by nearest rank. Throws for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('no values were measured');
  return value;
}
