/** The text of that row of the model at that tick: sometimes as long as the screen is wide, and sometimes empty. */
export function modelLine(row: number, tick: number, columns: number): string {
  const length = ((row * 7 + tick) * 13) % (columns + 20);
  return `${row}:${tick} ${'abcdefghij'.repeat(30)}`.slice(0, Math.min(columns, length));
}

/** Names whose width differs between terminals. */
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
