import type { BenchDatabase } from '../harness/database.ts';
import { median } from '../harness/pairing.ts';
import type { Chart } from './chart.ts';

/** How a cost grows with one number. */
export interface Curve {
  id: string; // also the name of its picture
  /** `isQuick`: a small form where there is one, to see that it runs. */
  run(create: CreateDatabase, isQuick: boolean): Promise<Chart>;
}

export interface CurveJob {
  id: string;
  isQuick: boolean;
}
export type CurveAnswer = { chart: Chart } | { failure: string };

type CreateDatabase = (name: string) => Promise<BenchDatabase>;

/** Median time in ms of so many requests, after a few for the caches. @throws unless each is a 200 */
export async function timeOfRequest(url: string, token: string, requests: number): Promise<number> {
  const warmUps = 3;
  const times: number[] = [];
  for (let request = 0; request < requests + warmUps; request += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    const body = await response.text();
    if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${body}`);
    if (request >= warmUps) times.push(performance.now() - startedAt);
  }
  return median(times);
}
