/** How much of a message is kept. */
interface Limits {
  /** Elements of an array, and bytes that are shown as numbers. */
  elements: number;
  /** Characters of a text. */
  characters: number;
}

/** As many elements as `ros2 topic echo` shows; less of each where that is still too long. */
const limitsInTurn: readonly Limits[] = [
  { elements: 128, characters: 16_384 },
  { elements: 32, characters: 1_024 },
  { elements: 8, characters: 128 },
  { elements: 2, characters: 32 },
];
/** A message may refer to no message of its own kind, so nothing is deeper. */
const maxDepth = 32;

interface MessageText {
  json: string;
  /** Something of it was left out, and stands as `{"$bytes":n}`, `{"$more":n}` or `…` there. */
  isCut: boolean;
}

/**
 * A ROS message as JSON of at most `maxBytes`. Of an array 128 elements are kept, `{"$more":n}` stands for the others; bytes beyond 128 are
 * `{"$bytes":n}`; 64-bit integers are text, as are NaN and the infinities, since JSON has none of these.
 */
export function messageText(message: unknown, maxBytes: number): MessageText {
  for (const limits of limitsInTurn) {
    const work: Work = { limits, left: maxBytes, isCut: limits !== limitsInTurn[0] };
    const kept = plain(message, work, 0);
    if (work.left < 0) continue;
    const json = JSON.stringify(kept ?? null);
    if (Buffer.byteLength(json) <= maxBytes) return { json, isCut: work.isCut };
  }
  return { json: '{"$more":1}', isCut: true };
}

interface Work {
  limits: Limits;
  /** Characters that it may still become, about; below 0 it is given up, for a hostile message would take seconds. */
  left: number;
  isCut: boolean;
}

function plain(value: unknown, work: Work, depth: number): unknown {
  const { limits } = work;
  work.left -= typeof value === 'string' ? Math.min(value.length, limits.characters) + 1 : 1;
  if (work.left < 0) return undefined;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string')
    return value.length <= limits.characters ? value : cut(work, `${value.slice(0, limits.characters)}…`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return cut(work, '…');
  if (value instanceof Uint8Array && value.length > limits.elements) return cut(work, { $bytes: value.length });
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const all = value as ArrayLike<unknown>;
    const kept = Math.min(all.length, limits.elements);
    const items: unknown[] = [];
    for (let index = 0; index < kept && work.left >= 0; index += 1) items.push(plain(all[index], work, depth + 1));
    if (kept < all.length) items.push(cut(work, { $more: all.length - kept }));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    work.left -= name.length;
    if (work.left < 0) break;
    fields.push([name, plain(each, work, depth + 1)]);
  }
  // Not assigned: a field may be called `__proto__`.
  return Object.fromEntries(fields);
}

function cut<T>(work: Work, shown: T): T {
  work.isCut = true;
  return shown;
}
