import { usage } from '../../command-line/errors.ts';
import { isMark } from './text.ts';

/** Path to a part of each message, such as `pose.position` or `ranges[0]`. */
export interface Field {
  /** As typed. */
  path: string;
  steps: readonly string[];
}

/** The fields of `--fields`; undefined for all. Throws CliError. */
export function fieldsOf(text: string | undefined): Field[] | undefined {
  return text?.split(',').map((path) => {
    const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
    if (steps.includes(''))
      throw usage(`--fields: "${path}" is not a valid field`, 'Use a value such as --fields pose.position,ranges[0]');
    return { path, steps };
  });
}

/** The fields by their paths as typed; null for a missing one, the truncation mark for a truncated one. */
export const pick = (message: unknown, fields: readonly Field[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ path, steps }) => [path, steps.reduce(step, message) ?? null]));

function step(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  if (isMark(value)) return value;
  return Array.isArray(value) ? restOf(value, Number(name)) : undefined;
}

/** The truncation mark at the end of an array, if it stands for this element. */
function restOf(array: readonly unknown[], index: number): unknown {
  const mark = array.at(-1) as { $more?: unknown } | null | undefined;
  return index < array.length - 1 + Number(mark?.$more) ? mark : undefined;
}
