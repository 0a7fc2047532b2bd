const units: [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/** An RFC 3339 instant as people say it: `3s ago`, `in 2h`. What is no instant stays as it is. */
export function relativeTime(instant: string, now: number = Date.now()): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return instant;
  const seconds = Math.round((now - at) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['s', 1];
  const amount = `${Math.floor(Math.abs(seconds) / size)}${unit}`;
  return seconds < 0 ? `in ${amount}` : `${amount} ago`;
}
