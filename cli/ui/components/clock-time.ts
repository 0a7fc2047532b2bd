const two = (part: number) => String(part).padStart(2, '0');

/** The time of day here, as in `12:04:31`; dashes for what is no instant, as a robot may say it. */
export function clockTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '--:--:--';
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** To the millisecond. */
export function clockTimeMs(instant: string): string {
  const ms = new Date(instant).getMilliseconds();
  return `${clockTime(instant)}.${Number.isNaN(ms) ? '---' : String(ms).padStart(3, '0')}`;
}
