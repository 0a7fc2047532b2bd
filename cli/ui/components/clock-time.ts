const two = (part: number) => String(part).padStart(2, '0');

/** As in `12:04`. */
export const clock = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** The time of day here, as in `12:04:31`; dashes for what is no instant, as a robot may say it. */
export function clockTime(instant: string | Date): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? '--:--:--' : `${clock(at)}:${two(at.getSeconds())}`;
}

/** To the millisecond. */
export function clockTimeMs(instant: string): string {
  const ms = new Date(instant).getMilliseconds();
  return `${clockTime(instant)}.${Number.isNaN(ms) ? '---' : String(ms).padStart(3, '0')}`;
}
