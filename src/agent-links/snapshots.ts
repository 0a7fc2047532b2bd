import { healthParts, type HealthOmission, type HealthSnapshot } from '../../generated/frames.js';
import { limits } from '../../generated/protocol.js';
import { sanitizeJson } from '../kernel/sanitize-json.ts';

type Parts = Record<string, unknown>;

const maxDepth = 64;
// Limits of `omitted` in spec/frames.yaml, in entries and characters.
const maxOmissions = 16;
const maxPartLength = 128;
const maxMessageLength = 256;

/** A snapshot as it is stored: text that any JSON parser accepts, and what it lacks. */
interface StoredSnapshot {
  text: string;
  omitted: readonly HealthOmission[];
}

/**
 * Removes the parts of a snapshot that violate the schema, and returns them. A fault that ended the link would also end
 * each later link: a program of the robot prints the same value again.
 */
export function omitInvalidParts(snapshot: unknown): HealthOmission[] {
  if (typeof snapshot !== 'object' || snapshot === null) return [];
  const health = snapshot as Parts;
  return Object.entries(healthParts).flatMap(([part, validate]) => {
    if (!Object.hasOwn(health, part) || validate(health[part])) return [];
    Reflect.deleteProperty(health, part);
    const [error] = validate.errors ?? [];
    return [omission(part, 'invalid', `${error?.instancePath ?? ''} ${error?.message ?? 'invalid'}`.trim())];
  });
}

/**
 * Removes the parts of `health` that are nested too deep, then as many as needed for the largest size. `earlier` are the
 * parts that were removed before; they and these become its `omitted`, before those that the agent named itself.
 */
export function storedSnapshot(health: HealthSnapshot, earlier: readonly HealthOmission[]): StoredSnapshot {
  const text = earlier.length === 0 && !isDeep(health) ? sanitizeJson(JSON.stringify(health)) : undefined;
  if (text !== undefined && fits(text)) return { text, omitted: [] };
  const whole: HealthSnapshot = { ...health };
  const omitted = [...earlier, ...omitDeepParts(whole)];
  const { omitted: ofAgent = [], ...parts } = whole;
  let bytes = sizeOf(parts) + sizeOf(omitted.slice(0, maxOmissions)) + sizeOf({ omitted: [] });
  for (const [part, size] of bySacrifice(parts)) {
    if (bytes <= limits.maxSnapshotBytes) break;
    Reflect.deleteProperty(parts, part);
    const entry = omission(part, 'too_large', `${size} bytes; a snapshot has at most ${limits.maxSnapshotBytes}`);
    if (omitted.length < maxOmissions) bytes += sizeOf(entry) + 1;
    omitted.push(entry);
    bytes -= size;
  }
  const named = omitted.slice(0, maxOmissions);
  for (const entry of ofAgent.slice(0, maxOmissions - named.length)) {
    bytes += sizeOf(entry) + 1;
    if (bytes <= limits.maxSnapshotBytes) named.push(entry);
  }
  return { text: sanitizeJson(JSON.stringify({ ...parts, omitted: named })), omitted };
}

const omission = (part: string, reason: string, message: string): HealthOmission => ({
  part: part.slice(0, maxPartLength),
  reason,
  message: message.slice(0, maxMessageLength),
});

function omitDeepParts(parts: Parts): HealthOmission[] {
  return Object.entries(parts).flatMap(([part, value]) => {
    if (typeof value !== 'object' || value === null || !isDeep({ [part]: value })) return [];
    Reflect.deleteProperty(parts, part);
    return [omission(part, 'too_deep', `nested deeper than ${maxDepth}`)];
  });
}

/** The parts with their bytes: first `extra`, then those that the schema does not know, each kind largest first. */
function bySacrifice(parts: Parts): [part: string, bytes: number][] {
  const rank = (part: string) => (part === 'extra' ? 0 : Object.hasOwn(healthParts, part) ? 2 : 1);
  return Object.entries(parts)
    .map(([part, value]): [string, number] => [part, sizeOf({ [part]: value }) - 1]) // its comma, not its braces
    .sort(([one, bytes], [other, otherBytes]) => rank(one) - rank(other) || otherBytes - bytes);
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A character is 1 to 3 bytes of UTF-8, so most texts need not be measured. */
const fits = (text: string): boolean =>
  text.length <= limits.maxSnapshotBytes / 3 || Buffer.byteLength(text) <= limits.maxSnapshotBytes;

/** Whether writing it as JSON again, here or for a reader, could overflow the stack. Walks without recursion. */
function isDeep(root: object): boolean {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const next: object[] = [];
    for (const each of level)
      for (const child of Object.values(each) as unknown[])
        if (typeof child === 'object' && child !== null) next.push(child);
    level = next;
  }
  return false;
}
