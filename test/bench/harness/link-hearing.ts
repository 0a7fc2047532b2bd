import type { WebSocket } from 'ws';
import type { Desired, Order, ReportAck } from '../../../generated/frames.d.ts';

/** An order, or the wish to stop one, when it came first to its robot. */
export interface Heard {
  deployments: readonly string[];
  atMs: number; // since 1970
}

export interface Hearing {
  what: 'order' | 'cancel';
  count: number;
  /** What each robot reports then, with the proof of a config if it is `applied`; default: nothing. */
  answer?: 'applied' | 'cancelled';
  withinMs: number;
}

/** Resolves when all were heard, and all answers are acknowledged. @throws when they are not in time */
export function hear(links: readonly WebSocket[], { what, count, answer, withinMs }: Hearing): Promise<Heard[]> {
  const heard = new Map<string, Heard>(); // by order
  const unanswered = new Set<string>();
  return new Promise((resolve, reject) => {
    const stopAll: (() => void)[] = [];
    const end = (settle: () => void) => {
      clearTimeout(timer);
      for (const stop of stopAll) stop();
      settle();
    };
    const timer = setTimeout(
      () => end(() => reject(new Error(`${heard.size} of ${count} heard, ${unanswered.size} not acknowledged`))),
      withinMs,
    );
    const take = (link: WebSocket, { order_id: id, deployments, digest, cancel = false }: Order) => {
      if (heard.has(id) || cancel !== (what === 'cancel')) return;
      heard.set(id, { deployments, atMs: Date.now() });
      if (answer === undefined) return;
      unanswered.add(id);
      const proof = answer === 'applied' ? { digest } : {};
      link.send(JSON.stringify({ type: 'report', order_id: id, status: answer, ...proof }));
    };
    for (const link of links) {
      const listener = (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as Desired | ReportAck;
        if (frame.type === 'desired') for (const order of frame.items) take(link, order);
        else if ('order_id' in frame) unanswered.delete(frame.order_id);
        if (heard.size >= count && unanswered.size === 0) end(() => resolve([...heard.values()]));
      };
      link.on('message', listener);
      stopAll.push(() => void link.off('message', listener));
    }
  });
}
