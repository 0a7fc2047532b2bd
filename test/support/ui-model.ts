/** What that row of the model says at that tick: as long as the screen is wide, now and then, and empty now and then. */
export function modelLine(row: number, tick: number, columns: number): string {
  const length = ((row * 7 + tick) * 13) % (columns + 20);
  return `${row}:${tick} ${'abcdefghij'.repeat(30)}`.slice(0, Math.min(columns, length));
}

/** Names whose width terminals do not agree on. */
export const wideNames = [
  'amr-007',
  '日本語ロボット',
  '🤖-7',
  'e\u0301te\u0301',
  '👩‍🔧 crew',
  '❤️ 1',
  'ｆｕｌｌ',
  '한국',
];
