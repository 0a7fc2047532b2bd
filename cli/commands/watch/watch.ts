import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '../../api/api-errors.ts';
import { inOrder } from '../list-order.ts';
import type { List } from '../list-spec.ts';
import { pagesOf } from '../pages.ts';
import type { ListPage } from '../../output/list.ts';
import { drawsScreen, isForPeople, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { changesDisplay } from './changes.ts';
import type { Display } from './display.ts';
import { screenDisplay } from './screen.ts';

/** From one response to the next request. */
const intervalMs = 2_000;
/** The names behind ids are read again after this many rounds, half a minute. */
const roundsOfView = 15;

/**
 * Repeats the request until Ctrl-C: redraws a terminal, elsewhere writes changed rows. A transient failure, such as a
 * lost network or a restarting service, is reported and retried. A refusal ends it, and so does a failed first request.
 */
export async function watchList<T extends object>(call: Invocation, list: List<T>): Promise<never> {
  const display: Display<T> = drawsScreen(call) ? await screenDisplay(call, list) : changesDisplay(call, list);
  let view: View<T> | undefined;
  for (let round = 0; ; round += 1) {
    try {
      const wanted = view === undefined || round % roundsOfView === 0 ? list.view() : view;
      const pages: ListPage<T>[] = [];
      for await (const page of pagesOf(call.flags, list)) pages.push(page);
      view = await wanted;
      if (isForPeople(call) || call.flags.text('fields') !== undefined)
        await list.names?.(pages.flatMap(({ body }) => body.items));
      for (const page of pages) inOrder(call, list, page);
      display.show(pages, view);
    } catch (error) {
      if (view === undefined || !isTransient(error)) {
        display.end?.();
        throw error;
      }
      display.fail(error.message);
    }
    await pause(intervalMs);
  }
}
