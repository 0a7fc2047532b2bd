const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
type Unit = keyof typeof unitSeconds;

const pattern = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|d)$/;

/** Seconds of a duration such as `90s`, `10m`, `1.5h` or `2d`; undefined for another text. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = pattern.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * unitSeconds[unit as Unit];
}

/** The shortest exact form: `600` s is `10m`. */
export function durationText(seconds: number): string {
  const exact = (['d', 'h', 'm'] as const).find((unit) => seconds > 0 && seconds % unitSeconds[unit] === 0) ?? 's';
  return `${seconds / unitSeconds[exact]}${exact}`;
}
