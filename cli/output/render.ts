import type { Invocation } from '../command-line/command-spec.ts';
import { writeDocument } from './documents.ts';
import { lineOf } from './lines.ts';
import { safeJson } from './safe.ts';
import { chosen, columnsOf, formatOf, type View } from './view.ts';

/**
 * Writes one object to stdout in the format of the flags: a table on a terminal, TSV elsewhere. `raw` is the body for
 * `--json`.
 */
export async function renderObject<T extends object>(
  call: Invocation,
  { raw, body }: { raw: Buffer; body: object },
  item: T,
  view: View<T>,
): Promise<void> {
  const { out } = call.io;
  const format = formatOf(call);
  // A change reads no names; a list has the columns on every line.
  const asked = call.flags.text('fields') !== undefined;
  const columns = columnsOf(call, view).filter(({ value }) => asked || !value || value(item) !== undefined);
  switch (format) {
    case 'raw':
      writeRaw(call, raw);
      break;
    case 'json':
    case 'yaml': {
      const picked = call.flags.text('fields') === undefined ? body : { data: chosen(call, item, columns) };
      await writeDocument(call, format, picked);
      break;
    }
    case 'table':
    case 'wide': {
      const { objectTable } = await import('./table.ts');
      out.write(objectTable(item, columns, (text, tone) => out.paint(text, tone)));
      break;
    }
    case 'jsonl':
    case 'kv':
    case 'name':
    case 'tsv':
      out.write(`${lineOf(call, format, item, view, columns)}\n`);
  }
}

/**
 * Writes the unchanged body and a line feed. On a terminal, control characters are escaped, which preserves the JSON
 * value.
 */
export function writeRaw(call: Invocation, raw: Buffer): void {
  const { out } = call.io;
  out.write(out.tty ? safeJson(raw.toString('utf8')) : raw);
  out.write('\n');
}
