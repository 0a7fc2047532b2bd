import { usage } from '../errors.ts';

/** A part of each message, as in `pose.position` or `ranges[0]`. */
export interface Field {
  /** As it was typed. */
  path: string;
  steps: readonly string[];
}

/** What `--fields` asks for; undefined for all. Throws CliError. */
export function fieldsOf(text: string | undefined): Field[] | undefined {
  return text?.split(',').map((path) => {
    const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
    if (steps.includes('')) throw usage(`--fields: "${path}" is no field`, 'As in --fields pose.position,ranges[0]');
    return { path, steps };
  });
}

/** The fields by their paths, as they were typed; null for one that the message does not have. */
export const pick = (message: unknown, fields: readonly Field[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ path, steps }) => [path, steps.reduce(step, message) ?? null]));

const step = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
