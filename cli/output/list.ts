import type { Invocation } from '../command-line/command-spec.ts';
import { writeDocument } from './documents.ts';
import { lineOf } from './lines.ts';
import { writeRaw } from './render.ts';
import { chosen, columnsOf, formatOf, type View } from './view.ts';

/** One response of a list. */
export interface ListPage<T> {
  raw: Buffer;
  body: { items: T[]; next_cursor?: string };
}

/** Writes a list to stdout in the format of the flags, page by page: a table on a terminal, TSV elsewhere. */
interface ListWriter<T> {
  page(page: ListPage<T>): Promise<void>;
  /** Writes the formats that are a single document. */
  end(): Promise<void>;
}

export async function listWriter<T extends object>(call: Invocation, view: View<T>): Promise<ListWriter<T>> {
  const { out } = call.io;
  const format = formatOf(call);
  const columns = columnsOf(call, view);
  switch (format) {
    case 'raw':
      return {
        page: async ({ raw }) => writeRaw(call, raw),
        end: async () => undefined,
      };
    case 'json':
    case 'yaml': {
      const items: unknown[] = [];
      let last: object = {};
      return {
        async page({ body }) {
          for (const item of body.items) items.push(chosen(call, item, columns));
          last = body;
        },
        end: () => writeDocument(call, format, { ...last, items }),
      };
    }
    case 'table':
    case 'wide': {
      const { listTable } = await import('./table.ts');
      const table = listTable(columns, widthOf(call), (text, tone) => out.paint(text, tone));
      return {
        async page({ body }) {
          for (const line of table.lines(body.items)) out.write(`${line}\n`);
        },
        end: async () => undefined,
      };
    }
    case 'jsonl':
    case 'kv':
    case 'name':
    case 'tsv':
      return {
        async page({ body }) {
          // Key-value lines of several items have an empty line between them.
          const end = format === 'kv' ? '\n\n' : '\n';
          out.write(body.items.map((item) => `${lineOf(call, format, item, view, columns)}${end}`).join(''));
        },
        end: async () => undefined,
      };
  }
}

/** `-o wide`, and any output that is no terminal, have unlimited width. */
const widthOf = (call: Invocation) =>
  call.io.out.tty && formatOf(call) === 'table' ? call.io.out.columns : Number.POSITIVE_INFINITY;
