import { safeCell } from '../../output/safe.ts';

/**
 * A message for people, similar to `ros2 topic echo`: arrays of numbers on one line, truncation in words. Not for
 * programs.
 */
export function messageLines(message: unknown): string[] {
  const word = inOneLine(message);
  if (word !== undefined) return [word];
  if (Array.isArray(message))
    return message.flatMap((item) => messageLines(item).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`));
  return Object.entries(message as object).flatMap(([name, value]) => {
    const short = inOneLine(value);
    const key = safeCell(name);
    return short === undefined ? [`${key}:`, ...messageLines(value).map((line) => `  ${line}`)] : [`${key}: ${short}`];
  });
}

/** Undefined if it needs several lines. */
function inOneLine(value: unknown): string | undefined {
  if (typeof value === 'string')
    return /^[^\s"'#[\]{}-][^\n"#]*$/.test(value) ? safeCell(value) : safeCell(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => (isObject(item) && !isMark(item) ? undefined : inOneLine(item)));
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  if (isMark(value)) {
    const [[name, count] = []] = Object.entries(value);
    const shown = safeCell(JSON.stringify(count));
    return name === '$bytes' ? `<${shown} bytes>` : `… ${shown} more`;
  }
  return Object.keys(value).length === 0 ? '{}' : undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The truncation mark; no ROS field begins like this. */
export const isMark = (value: object): boolean =>
  Object.keys(value).length === 1 && ('$bytes' in value || '$more' in value);
