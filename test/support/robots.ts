import { factories } from './factories.ts';
import type { World } from './world.ts';

export interface Identity {
  robot_id: string;
  robot_token: string;
}

export interface Entry {
  seq: number;
  kind: string;
  message: string;
  details: Record<string, unknown>;
}

/** Enrolls robots and reads their data from the API. */
export function robotsOf(world: World) {
  const read = async (path: string) => (await world.call('GET', path)).body;
  return {
    enroll: async (name = 'amr-1') => (await factories(world).robot(name)) as Identity,
    robot: async ({ robot_id: id }: Identity) => (await read(`/api/robots/${id}`)).data,
    health: async ({ robot_id: id }: Identity) => (await read(`/api/robots/${id}/health`)).data,
    timeline: async ({ robot_id: id }: Identity) => (await read(`/api/robots/${id}/timeline`)).items as Entry[],
    /** Kinds of its timeline entries, with the reason of each end. */
    story: async ({ robot_id: id }: Identity) =>
      ((await read(`/api/robots/${id}/timeline`)).items as Entry[]).map(({ kind, details }) =>
        [kind, details['reason']].filter(Boolean).join(' '),
      ),
    /** Enrolls many robots at once with one key. */
    async enrollMany(count: number): Promise<Identity[]> {
      const key = await factories(world).key();
      const robots: Identity[] = [];
      for (let made = 0; made < count; made += 25)
        robots.push(
          ...((await Promise.all(
            Array.from({ length: Math.min(25, count - made) }, () => factories(world).robot(undefined, key)),
          )) as Identity[]),
        );
      return robots;
    },
  };
}
