import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { playTranscript } from '../support/transcript-player.ts';
import { operatorOf } from '../support/operator.ts';
import { robotsOf } from '../support/robots.ts';
import { transcripts, type Step } from '../support/transcripts.ts';
import { startIsolatedWorld } from '../support/world.ts';

for (const transcript of transcripts)
  test(`the service says on a link what it says in the golden transcript ${transcript.name}`, async () => {
    await using world = await startIsolatedWorld();
    const { robot_id: robotId, robot_token: robotToken } = await robotsOf(world).enroll();
    let stopped: Promise<void> | undefined;
    let stream: WebSocket | undefined;
    const openStream = async (path: string) => {
      const address = `${world.url.replace('http', 'ws')}/api/robots/${robotId}/${path}`;
      stream = new WebSocket(address, { headers: { Authorization: `Bearer ${world.orgToken}` } });
      await once(stream, 'open');
    };
    const operator = operatorOf(world);
    const played = playTranscript(transcript, {
      url: world.url,
      robotToken,
      async act(act) {
        if ('stop' in act) stopped = world.stop(0);
        else if ('cancel' in act) await operator.cancel();
        else if ('leave_shell' in act || 'leave_stream' in act) stream?.close();
        else if ('rotate_token' in act) await world.call('POST', `/api/robots/${robotId}/rotate-token`);
        else if ('open_shell' in act) {
          const { cols, rows } = act.open_shell;
          await openStream(`shell/ws?cols=${cols}&rows=${rows}`);
        } else if ('open_stream' in act) await openStream(act.open_stream);
        else if ('deploy_config' in act) await operator.deployConfig(robotId, act.deploy_config);
        else await operator.deployRelease(robotId, act.deploy_release);
      },
    });
    await expect(played).resolves.toBeUndefined();
    await stopped;
    if (stopped) return;
    const { body } = await world.call('GET', `/api/robots/${robotId}/logs`);
    expect(body.items).toHaveLength(acknowledgedRecords(transcript.steps));
  });

/** Records that the service said it has, each number of a spool once; not those that were skipped when they were sent for the first time. */
function acknowledgedRecords(steps: readonly Step[]): number {
  const frames = steps.flatMap((step) => ('frame' in step ? [step.frame] : []));
  const acknowledged = new Map<string, number>();
  for (const frame of frames) if (frame.type === 'logs_ack') acknowledged.set(frame.spool, frame.seq);
  const skipped = frames.filter((frame) => frame.type === 'logs_skipped');
  const times = new Map<string, number>(); // that a record was sent
  const names: string[] = [];
  for (const frame of frames)
    if (frame.type === 'logs')
      for (const { seq } of frame.records) {
        const name = `${frame.spool} ${seq}`;
        times.set(name, (times.get(name) ?? 0) + 1);
        if (seq <= (acknowledged.get(frame.spool) ?? 0)) names.push(name);
      }
  const isLost = (name: string) =>
    times.get(name) === 1 &&
    skipped.some(({ spool, from_seq: from, to_seq: to }) => {
      const [ofSpool, seq] = name.split(' ');
      return ofSpool === spool && from <= Number(seq) && Number(seq) <= to;
    });
  return new Set(names.filter((name) => !isLost(name))).size;
}
