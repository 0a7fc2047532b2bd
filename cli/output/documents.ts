import type { Invocation } from '../command-line/command-spec.ts';
import { onTerminal } from './view.ts';

/** A value as indented JSON, coloured where the stream takes colours, or as YAML. */
export async function writeDocument(call: Invocation, format: 'json' | 'yaml', value: unknown): Promise<void> {
  const { out } = call.io;
  if (format === 'yaml') {
    out.write((await import('./yaml.ts')).toYaml(value));
    return;
  }
  const { paintJson } = await import('./json.ts');
  const json = onTerminal(call, JSON.stringify(value, undefined, 2));
  out.write(`${paintJson(json, (text, tone) => out.paint(text, tone))}\n`);
}
