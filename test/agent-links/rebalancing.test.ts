import { expect, test } from 'vitest';
import { rebalanceLimits, rebalancer } from '../../src/agent-links/rebalancing.ts';

const roundMs = 5_000;

/** Where a load balancer sends a link that reconnects: the index of a replica. */
type Balancer = (links: readonly number[], from: number) => number;

function even(): Balancer {
  let next = 0;
  return (links) => (next += 1) % links.length;
}
const leastLinks: Balancer = (links) => links.indexOf(Math.min(...links));
const sticky: Balancer = (_links, from) => from;

interface Cluster {
  links: number[];
  asked: number[]; // links that were asked, by round
  /** Plays rounds in which each replica decides by what all had when the round began. */
  run(rounds: number): Cluster;
}

function clusterOf(links: number[], balance: Balancer): Cluster {
  let nowMs = 0;
  const replicas = links.map(() => rebalancer(rebalanceLimits, () => nowMs));
  const cluster: Cluster = {
    links,
    asked: [],
    run(rounds) {
      for (; rounds > 0; rounds -= 1, nowMs += roundMs) {
        const counts = [...links];
        const asks = replicas.map((decide, own) =>
          decide(
            counts[own] ?? 0,
            counts.filter((_count, other) => other !== own),
          ),
        );
        asks.forEach((count, from) => {
          for (let each = 0; each < count; each += 1) {
            links[from] = (links[from] ?? 0) - 1;
            const to = balance(links, from);
            links[to] = (links[to] ?? 0) + 1;
          }
        });
        cluster.asked.push(asks.reduce((sum, count) => sum + count, 0));
      }
      return cluster;
    },
  };
  return cluster;
}

const minute = 60_000 / roundMs;
const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

test('nothing moves before the difference has lasted a minute', () => {
  const { asked } = clusterOf([200, 100], even()).run(minute + 1);
  expect(asked.slice(0, minute)).toEqual(Array(minute).fill(0));
  expect(asked.at(-1)).toBe(5);
});

test('a difference that ends within the minute starts the minute again', () => {
  const cluster = clusterOf([200, 100], even()).run(minute - 1);
  cluster.links[1] = 200;
  cluster.run(1);
  cluster.links[1] = 100;
  expect(total(cluster.run(minute).asked)).toBe(0);
});

test.each([
  { links: [1_000, 800], why: 'at most 20 %' },
  { links: [12, 3], why: 'less than 10 links' },
  { links: [100], why: 'the only replica' },
  { links: [0, 0], why: 'no links' },
])('nothing moves at $links: $why', ({ links }) => {
  expect(total(clusterOf(links, even()).run(10 * minute).asked)).toBe(0);
});

test.each([[[100, 0]], [[300, 0, 0]], [[150, 150, 0]], [[10_000, 10_000, 0]], [[30, 10]], [[5_000, 4_000, 3_000, 0]]])(
  'replicas with %j links come within 20 percent of each other, under two balancers, and then nothing moves',
  (links) => {
    for (const balance of [even(), leastLinks]) {
      const cluster = clusterOf([...links], balance).run(60 * minute);
      const [most, least] = [Math.max(...cluster.links), Math.min(...cluster.links)];
      expect(most - least < 10 || most - least <= most * 0.2, cluster.links.join()).toBe(true);
      const before = total(cluster.asked);
      expect(total(cluster.run(120 * minute).asked)).toBe(before);
    }
  },
);

test('a replica that came back empty gets its share in ten minutes, at most 1 % of the links in a round', () => {
  const { links, asked } = clusterOf([5_000, 5_000, 0], even()).run(10 * minute);
  expect(Math.min(...links)).toBeGreaterThan(2_800);
  expect(Math.max(...asked)).toBeLessThanOrEqual(100);
});

test('a balancer that returns each link to its replica gets a bounded number an hour, and no more', () => {
  const cluster = clusterOf([300, 100], sticky).run(61 * minute);
  expect(cluster.links).toEqual([300, 100]);
  const firstHour = total(cluster.asked);
  expect(firstHour).toBe(200);
  expect(total(cluster.run(60 * minute).asked) - firstHour).toBe(200);
});

test('an emptier replica never asks, whatever the others have', () => {
  let nowMs = 0;
  const decide = rebalancer(rebalanceLimits, () => (nowMs += roundMs));
  for (let each = 0; each < 5 * minute; each += 1) expect(decide(100, [200, 70, 300])).toBe(0);
});
