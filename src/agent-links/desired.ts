import { createHash } from 'node:crypto';
import type { OpenOrder } from '../deployments/api/service.ts';

/** Leaves room for additions to a frame, and for proxies that count differently: a frame may hold 256 KiB. */
const maxBytes = 196_608;

/** A payload as a JSON string, with its size. */
interface Escaped {
  text: string;
  bytes: number;
}

/** Writes `desired` frames. Payloads that many robots get are escaped once, so a writer lives for one pass. */
export function desiredWriter() {
  const escaped = new Map<string, Escaped>(); // by digest

  function escape(digest: string, payload: string): Escaped {
    let known = escaped.get(digest);
    if (!known) {
      const text = JSON.stringify(payload);
      escaped.set(digest, (known = { text, bytes: Buffer.byteLength(text) }));
    }
    return known;
  }

  return {
    /**
     * The frame for one robot, at most 192 KiB. Payloads that do not fit are left out first, as the agent can fetch
     * them. Then orders are left out, and sent once earlier ones have ended.
     */
    write(orders: readonly OpenOrder[]): { hash: string; text: string } {
      const heads: string[] = [];
      let bytes = 64; // JSON around the items
      for (const order of orders) {
        const head = headOf(order);
        bytes += Buffer.byteLength(head) + 1;
        if (bytes > maxBytes) break;
        heads.push(head);
      }
      const items = heads.map((head, index) => {
        const { payload, digest } = orders[index] as OpenOrder; // one head per order
        if (payload === undefined) return head;
        const escapedPayload = escape(digest, payload);
        const added = `,"payload":`.length + escapedPayload.bytes;
        if (bytes + added > maxBytes) return head;
        bytes += added;
        return `${head.slice(0, -1)},"payload":${escapedPayload.text}}`;
      });
      const hash = hashOf(orders.slice(0, heads.length));
      return { hash, text: `{"type":"desired","hash":"${hash}","items":[${items.join(',')}]}` };
    },
  };
}

/** Identifies a list of orders: 16 hex digits. */
function hashOf(orders: readonly OpenOrder[]): string {
  const list = JSON.stringify(orders.map(({ orderId, cancel, digest }) => [orderId, cancel, digest]));
  // Encoded from the bytes: a slice of a string would keep the whole string in memory.
  return createHash('sha256').update(list).digest().toString('hex', 0, 8);
}

/** An order without its payload. */
const headOf = ({ orderId, lane, sequence, deployments, digest, cancel, signature, keyId, terms }: OpenOrder): string =>
  JSON.stringify({
    order_id: orderId,
    lane,
    sequence,
    deployments,
    digest,
    ...(cancel ? { cancel } : {}),
    signature,
    key_id: keyId,
    ...terms,
  });
