import type { Invocation } from '../command-line/command-spec.ts';
import { onTerminal } from './view.ts';

/** Writes a value as YAML or as indented JSON, coloured if the stream supports it. */
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
