import { createHash } from 'node:crypto';
import type { OpenOrder } from '../deployments/api/service.ts';

/** Room for what we may add to a frame, and for proxies that count otherwise: a frame may hold 256 KiB. */
const maxBytes = 196_608;

/** A payload as a JSON string, with its size. */
interface Escaped {
  text: string;
  bytes: number;
}

/** Writes `desired` frames. Payloads that many robots get are escaped once, so a writer lives as long as one round of them. */
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
     * The frame for one robot, of 192 KiB at most. First the payloads are left out that do not fit, for the agent can fetch them; then orders, which
     * go out when those before them have ended.
     */
    write(orders: readonly OpenOrder[]): { hash: string; text: string } {
      const heads: string[] = [];
      let bytes = 64; // what is around the items
      for (const order of orders) {
        const head = headOf(order);
        bytes += Buffer.byteLength(head) + 1;
        if (bytes > maxBytes) break;
        heads.push(head);
      }
      const items = heads.map((head, index) => {
        const { payload, digest } = orders[index] as OpenOrder; // a head for each
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

/** Stands for a list of orders: 16 hex digits. */
function hashOf(orders: readonly OpenOrder[]): string {
  const list = JSON.stringify(orders.map(({ orderId, cancel, digest }) => [orderId, cancel, digest]));
  // Written from the bytes: a slice of a text would keep the whole of it.
  return createHash('sha256').update(list).digest().toString('hex', 0, 8);
}

/** An order without its payload. */
const headOf = ({ orderId, lane, sequence, deployments, digest, cancel, signature, keyId }: OpenOrder): string =>
  JSON.stringify({
    order_id: orderId,
    lane,
    sequence,
    deployments,
    digest,
    ...(cancel ? { cancel } : {}),
    signature,
    key_id: keyId,
  });
