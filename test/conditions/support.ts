import { expect } from 'vitest';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import type { World } from '../support/world.ts';

export const agentOf = (world: World, robot: Identity) => linkedAgent(world.url, robot.robot_token);

export const ruleOf = async (world: World, body: object) => {
  const answer = await world.call('POST', '/api/condition-rules', { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

/** The names of a robot's conditions, after its health. */
export const healthOf = async (world: World, robot: Identity): Promise<string[]> => {
  const { health_status: status, conditions } = await robotsOf(world).robot(robot);
  return [status, ...conditions.map(({ name }: { name: string }) => name).sort()];
};
