import type { List } from '../list-spec.ts';
import { lineOf } from '../../output/lines.ts';
import { writeRaw } from '../../output/render.ts';
import { safeText } from '../../output/safe.ts';
import { columnsOf, onTerminal, type View } from '../../output/view.ts';
import type { ListPage } from '../../output/list.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { Display } from './display.ts';

/**
 * Writes every row as a JSON line at first, then only new and changed rows. A removed row is its key and `"removed":
 * true`. With `--json`, writes a response body if it differs from the previous one.
 */
export function changesDisplay<T extends object>(call: Invocation, list: List<T>): Display<T> {
  const write = call.flags.on('json') ? bodies<T>(call, list) : rows(call, list);
  let failed = false;
  return {
    show(pages, view) {
      if (failed) call.io.note('The service responds again.');
      failed = false;
      write(pages, view);
    },
    fail(message) {
      if (!failed) call.io.note(safeText(`No response: ${message}. Retrying every 2 s.`));
      failed = true;
    },
  };
}

function rows<T extends object>(call: Invocation, { key, isLog }: List<T>): Display<T>['show'] {
  let before = new Map<unknown, string>();
  return (pages, view: View<T>) => {
    const columns = columnsOf(call, view);
    const now = new Map<unknown, string>();
    let text = '';
    for (const item of pages.flatMap(({ body }) => body.items)) {
      const line = lineOf(call, 'jsonl', item, view, columns);
      now.set(item[key], line);
      if (before.get(item[key]) !== line) text += `${line}\n`;
    }
    for (const gone of isLog ? [] : before.keys()) {
      if (!now.has(gone)) text += `${onTerminal(call, JSON.stringify({ [key]: gone, removed: true }))}\n`;
    }
    before = now;
    if (text !== '') call.io.out.write(text);
  };
}

function bodies<T extends object>(call: Invocation, { isLog }: List<T>): Display<T>['show'] {
  let before: readonly ListPage<T>[] = [];
  return (pages) => {
    const same = pages.length === before.length && pages.every(({ raw }, index) => before[index]?.raw.equals(raw));
    const nothingNew = isLog === true && before.length > 0 && pages.every(({ body }) => body.items.length === 0);
    if (!same && !nothingNew) for (const { raw } of pages) writeRaw(call, raw);
    before = pages;
  };
}
