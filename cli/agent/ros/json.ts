/** How much of a message to keep. */
interface Limits {
  /** Maximum elements of an array, and bytes shown as numbers. */
  elements: number;
  /** Maximum characters of a string. */
  characters: number;
}

/** First as many elements as `ros2 topic echo` shows; less of everything while the result is too long. */
const limitsInTurn: readonly Limits[] = [
  { elements: 128, characters: 16_384 },
  { elements: 32, characters: 1_024 },
  { elements: 8, characters: 128 },
  { elements: 2, characters: 32 },
];
/** A message type cannot contain itself, so no message is deeper. */
const maxDepth = 32;

interface MessageText {
  json: string;
  /** Some of it was left out; `{"$bytes":n}`, `{"$more":n}` or `…` stands in its place. */
  isCut: boolean;
}

/**
 * A ROS message as JSON of at most `maxBytes`. An array keeps 128 elements, and `{"$more":n}` stands for the rest. More
 * than 128 bytes become `{"$bytes":n}`. 64-bit integers, NaN and the infinities become strings, since JSON has none of
 * them.
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
  /**
   * About how many characters it may still take. Below 0 the attempt stops, since a hostile message would take seconds.
   */
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
  // Not by assignment: a field may be named `__proto__`.
  return Object.fromEntries(fields);
}

function cut<T>(work: Work, shown: T): T {
  work.isCut = true;
  return shown;
}
