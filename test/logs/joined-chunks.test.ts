import { expect, test } from 'vitest';
import { packText } from '../../src/logs/body.ts';
import { chunkJoiner, type JoinedChunk } from '../../src/logs/objects/joined-chunks.ts';

const spanStartMs = Date.parse('2026-11-21T09:00:00Z');
const text = '{"level":"info","source":"journal","message":"planner: goal reached"}\n'.repeat(150);

/** Chunks of so many robots, each with one in each of two windows of ten minutes. */
async function joined(robots: number) {
  const joiner = chunkJoiner();
  const { body, bytes } = await packText(text);
  for (const window of [0, 1])
    for (let robot = 0; robot < robots; robot += 1) {
      const at = new Date(spanStartMs + window * 120_000 + robot);
      joiner.add({
        robot_id: `amr-${robot}`,
        first_at: at,
        received_at: at,
        body,
        bytes,
        text_filter: null,
        first_seq: 1 + window * 150,
        last_seq: 150 + window * 150,
        max_level: 2,
      });
    }
  joiner.closeAll();
  const chunks: JoinedChunk[] = [];
  for await (const chunk of joiner.take()) chunks.push(chunk);
  return chunks;
}

test('robots of a large fleet have one chunk for their small ones of ten minutes', async () => {
  const robots = 2_000; // 40 MB of text
  const chunks = await joined(robots);
  expect(chunks).toHaveLength(robots);
  expect(chunks.every(({ firstSeq, lastSeq }) => firstSeq === 1 && lastSeq === 300)).toBe(true);
});
