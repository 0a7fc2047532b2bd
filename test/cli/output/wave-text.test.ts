import { expect, test } from 'vitest';
import { resumeEffect, waveEnds, waveProgress, waveToSkip } from '../../../cli/output/wave-text.ts';

const at = '2026-11-21T09:00:00.000Z';
const none = { total: 20, failed: 0, rolled_back: 0, cancelled: 0, applied: 0 };
const rollout = (
  wave: number,
  waves: { number: number; ended_at?: string; started_at?: string; skipped_at?: string; counts?: object }[],
) => ({ rollout: { wave, waves, advance: {}, abort: [] } }) as unknown as Parameters<typeof resumeEffect>[0];

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

test('a line has how far the current wave is, and at the end what became of each', () => {
  const begun = { started_at: at, counts: { ...none, applied: 2, failed: 1 } };
  const waves = [
    { number: 1, ...begun },
    { number: 2, started_at: at, counts: none },
    { number: 3, counts: none },
  ];
  expect(waveProgress(rollout(1, waves))).toBe('wave 1 of 3: 3 of 20 ended');
  expect(waveProgress(rollout(0, [{ number: 1 }, { number: 2 }]))).toBe('2 waves');
  expect(waveEnds(rollout(2, waves))).toBe('Wave 1: 2 applied, 1 failed · wave 2: none ended · wave 3: not begun');
  expect([waveProgress({}), waveEnds({})]).toEqual(['', undefined]);
});

test('the wave to skip is the current one, or the next that is not skipped once that has ended', () => {
  const ended = { number: 1, started_at: at, ended_at: at };
  const others = [{ number: 2 }, { number: 3 }, { number: 4 }];
  expect(waveToSkip({})).toBe(1);
  expect(waveToSkip(rollout(1, [{ number: 1, started_at: at }, ...others]))).toBe(1);
  expect(waveToSkip(rollout(1, [ended, ...others]))).toBe(2);
  expect(waveToSkip(rollout(1, [ended, { number: 2, skipped_at: at }, { number: 3 }, { number: 4 }]))).toBe(3);
  const skipped = rollout(1, [ended, { number: 2, skipped_at: at, counts: { ...none, cancelled: 20 } }]);
  expect(waveEnds(skipped)).toContain('wave 2: skipped');
});
