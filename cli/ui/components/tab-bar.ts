import { fitTo } from '../../output/text-width.ts';
import type { Line } from './line.ts';

/** The tabs of a screen; the selected one is in brackets, visible without colours too. */
export const tabBarLine = (tabs: readonly string[], shown: string): Line => ({
  segments: tabs.flatMap((tab) => [
    tab === shown ? { text: `[${tab}]`, tone: 'strong' as const } : { text: ` ${tab} `, tone: 'quiet' as const },
  ]),
});

/** A label column, before its value. */
export const labelSegment = (label: string, width: number) => ({
  text: ` ${fitTo(label, width, '')} `,
  tone: 'quiet' as const,
});
