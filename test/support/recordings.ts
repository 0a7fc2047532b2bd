import { expect } from 'vitest';
import { shellAgent } from './dial-back.ts';
import { robotsOf } from './robots.ts';
import type { World } from './world.ts';

export interface Recording {
  header: { version: number; width: number; height: number; timestamp: number };
  events: [seconds: number, code: string, text: string][];
  /** All output. */
  shown: string;
}

/** Each of its lines must be complete. */
export function readRecording(file: string): Recording {
  const [header, ...events] = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  const read = events as Recording['events'];
  const shown = read.map(([, code, text]) => (code === 'o' ? text : '')).join('');
  return { header: header as Recording['header'], events: read, shown };
}

/** A robot with a linked agent that opens shells, in an org that records them. */
export async function recordedRobot(world: World) {
  const set = await world.call('PATCH', '/api/org', { body: { record_shells: true } });
  expect(set.status, set.text).toBe(200);
  const robot = await robotsOf(world).enroll();
  const agent = await shellAgent(world.url, robot.robot_token);
  return { id: robot.robot_id, agent, [Symbol.dispose]: () => agent.socket.terminate() };
}

export const sessionsOf = async (world: World, query = ''): Promise<Record<string, unknown>[]> =>
  (await world.call('GET', `/api/shell-sessions${query}`)).body.items as Record<string, unknown>[];

export const recordingOf = (world: World, id: string) => world.call('GET', `/api/shell-sessions/${id}/recording`);

/** Waits until the session has ended and returns its recording. */
export async function finished(world: World, id: string): Promise<Recording> {
  await expect
    .poll(async () => (await sessionsOf(world)).find((session) => session['id'] === id)?.['ended_at'])
    .toBeDefined();
  return readRecording((await recordingOf(world, id)).text);
}
