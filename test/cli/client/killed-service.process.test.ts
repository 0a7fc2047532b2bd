import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '../../../cli/client/index.ts';
import { logRobot } from '../../support/log-robot.ts';
import { startKillableService } from '../../support/killable-service.ts';

test('logs go on over a service that is killed and comes back, none lost and none twice, and calls wait for it', async () => {
  await using service = await startKillableService();
  const baseUrl = service.url.origin;
  const client = createClient({ baseUrl, token: service.token, WebSocket, maxTries: 50 });
  const { data: site } = await client.POST('/api/sites', { body: { name: 'Osaka' } });
  const { data: fleet } = await client.POST('/api/fleets', { body: { name: 'pickers', site_id: site.id } });
  const body = { site_id: site.id, fleet_id: fleet.id };
  const { data: key } = await client.POST('/api/enrollment-keys', { body });
  const enrolling = createClient({ baseUrl, token: key.value });
  const { data: robot } = await enrolling.POST('/agent/enroll', { body: { name: 'amr-1' } });
  const stream = client.streams.logs(robot.robot_id, { tail: 1000 });
  const messages: string[] = [];
  async function read(count: number): Promise<void> {
    while (messages.length < count) {
      const { value } = await stream.next();
      messages.push(value?.message ?? 'the end');
    }
  }
  let said = 0;
  for (let round = 0; round < 2; round += 1) {
    using talking = await logRobot(baseUrl, robot.robot_token, 's', said);
    await talking.say(...Array.from({ length: 50 }, () => `line ${(said += 1)}`));
    await read(said - 20);
    await service.killServer();
    const call = client.GET('/api/whoami');
    await service.startServer();
    expect((await call).data.orgs).toHaveLength(1);
  }
  await read(said);
  expect(messages).toEqual(Array.from({ length: 100 }, (_, index) => `line ${index + 1}`));
  await stream.return();
});
