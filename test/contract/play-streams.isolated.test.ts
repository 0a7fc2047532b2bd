import { expect, test } from 'vitest';
import { robotsOf } from '../support/robots.ts';
import { playTranscript } from '../support/transcript-player.ts';
import { streamTranscripts } from '../support/transcripts.ts';
import { startIsolatedWorld } from '../support/world.ts';

for (const transcript of streamTranscripts)
  test(`the service does between a viewer and an agent what it does in the golden transcript ${transcript.name}`, async () => {
    await using world = await startIsolatedWorld();
    const { robot_id: robotId, robot_token: robotToken } = await robotsOf(world).enroll();
    let listed: Promise<unknown> | undefined;
    let stopped: Promise<void> | undefined;
    const played = playTranscript(transcript, {
      url: world.url,
      robotToken,
      viewerToken: world.orgToken,
      act(act) {
        if ('stop' in act) stopped = world.stop(0);
        else if ('list_topics' in act) listed = world.call('GET', `/api/robots/${robotId}/ros/topics`);
        return Promise.resolve();
      },
    });
    await expect(played).resolves.toBeUndefined();
    await stopped;
    await listed;
  });
