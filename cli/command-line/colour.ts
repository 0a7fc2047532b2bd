/** Colours by meaning; an unknown state is grey. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'blue' | 'magenta' | 'cyan';

const codes: Record<Tone, [number, number]> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  quiet: [90, 39],
  strong: [1, 22],
  // Without a meaning: they distinguish robots.
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

export function paint(text: string, tone: Tone): string {
  const [on, off] = codes[tone];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
