import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { quantile } from './pairing.ts';

/** Nobody types faster, and what is measured is not how fast the echo's own process is. */
const pauseMs = 2;

export interface Typed {
  p50Ms: number;
  p99Ms: number;
}

/** A shell of a robot, as a viewer has it. */
export async function openShell(url: string, robotId: string, token: string): Promise<WebSocket> {
  const viewer = new WebSocket(`${url.replace('http', 'ws')}/api/robots/${robotId}/shell/ws`, {
    headers: { Authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => viewer.once('open', resolve).once('error', reject));
  return viewer;
}

/** From a key to its echo, again and again. */
export async function type(viewer: WebSocket, count: number): Promise<Typed> {
  const times: number[] = [];
  for (let key = 0; key < count; key += 1) {
    const startedAt = performance.now();
    const echoed = new Promise((resolve) => viewer.once('message', resolve));
    viewer.send('x');
    await echoed;
    times.push(performance.now() - startedAt);
    await sleep(pauseMs);
  }
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}
