import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { isInstant } from '../../command-line/instant.ts';
import { parseStartTime } from '../../command-line/start-time.ts';

const span = /^(?:\d{1,5}[mhd] ?)+$/i;

export interface DynamicFlag {
  body: { dynamic: true; dynamic_until: string } | undefined;
  /** The time that was computed from the flag; undefined if it is an instant, or absent. */
  resolved: string | undefined;
}

/** `--dynamic-until`: until when robots that match the selector later receive the deployment too. The service checks the limits. */
export function dynamicFlag({ flags }: Invocation, kind: 'robot' | 'fleet' | 'selector'): DynamicFlag {
  const text = flags.text('dynamic-until')?.trim();
  if (text === undefined) return { body: undefined, resolved: undefined };
  if (kind !== 'selector')
    throw usage('--dynamic-until requires --selector', 'Robots that join a fleet later receive it anyway');
  if (isInstant(text)) return { body: { dynamic: true, dynamic_until: text }, resolved: undefined };
  const end = parseStartTime(span.test(text) ? `in ${text}` : text, new Date());
  const fault = 'fault' in end ? end.fault : end.at ? undefined : 'is not a time ahead';
  if ('fault' in end || !end.at)
    throw usage(
      `--dynamic-until: "${text}" ${fault?.replace('start time', 'time') ?? ''}`,
      'Use a value such as --dynamic-until 30d or --dynamic-until 2030-01-31T02:00:00+09:00',
    );
  const at = end.at.toISOString();
  return { body: { dynamic: true, dynamic_until: at }, resolved: at };
}
