import { expect, test } from 'vitest';
import { resumeEffect } from '../../../cli/output/wave-text.ts';

const at = '2026-11-21T09:00:00.000Z';
const rollout = (wave: number, waves: { number: number; ended_at?: string }[]) =>
  ({ rollout: { wave, waves, advance: {}, abort: [] } }) as unknown as Parameters<typeof resumeEffect>[0];

test('a resume names what it accepts, and the next wave if the current one has ended', () => {
  expect(resumeEffect({})).toBe('Robots that wait receive it.');
  expect(resumeEffect(rollout(0, [{ number: 1 }, { number: 2 }]))).toBe('Robots that wait receive it.');
  expect(resumeEffect(rollout(1, [{ number: 1 }, { number: 2 }]))).toBe(
    'Robots of the wave that wait receive it. Failures until now no longer count.',
  );
  expect(resumeEffect(rollout(1, [{ number: 1, ended_at: at }, { number: 2 }]))).toBe(
    'The next wave begins. Failures until now no longer count.',
  );
  expect(resumeEffect(rollout(2, [{ number: 1, ended_at: at }, { number: 2 }]))).toContain('Robots of the wave');
});
