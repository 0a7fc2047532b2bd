import { fitTo } from '../../output/text-width.ts';
import type { Line } from './line.ts';

/** The tabs of a screen; the shown one stands in brackets, so that it is told without colours too. */
export const tabBarLine = (tabs: readonly string[], shown: string): Line => ({
  segments: tabs.flatMap((tab) => [
    tab === shown ? { text: `[${tab}]`, tone: 'strong' as const } : { text: ` ${tab} `, tone: 'quiet' as const },
  ]),
});

/** A label in its column, before what it is of. */
export const labelSegment = (label: string, width: number) => ({
  text: ` ${fitTo(label, width, '')} `,
  tone: 'quiet' as const,
});
