import { StepFailed } from '../orders/handler.ts';
import { sha256 } from '../orders/payload.ts';
import { membersOf, partsOf, whole, type Span } from './raw-json.ts';

/** One value of an order. */
interface ConfigEntry {
  namespace: string;
  key: string;
  /** Its position in the document. */
  value: Span;
  /** The signature of this entry, and the id of its key. */
  signature: string | undefined;
  keyId: string | undefined;
}

/** What a config order carries. */
interface ConfigDocument {
  text: string;
  entries: readonly ConfigEntry[];
}

const namespacePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Parses `{"config": [{"namespace", "key", "revision", "value", "signature"?, "key_id"?}]}`. Else throws StepFailed.
 */
export function readDocument(text: string): ConfigDocument {
  const bad = (why: string) => new StepFailed('bad_payload', `the payload ${why}`);
  const config = list(text);
  if (!config) throw bad('has no config');
  const entries = [...partsOf(text, config)].map((part): ConfigEntry => {
    const members = new Map([...objectAt(text, part)]);
    const [namespace, key, signature, keyId] = ['namespace', 'key', 'signature', 'key_id'].map((name) =>
      stringAt(text, members.get(name)),
    );
    const value = members.get('value');
    if (namespace === undefined || key === undefined || !value) throw bad('has an entry that is none');
    // The namespace becomes a file name.
    if (!namespacePattern.test(namespace)) throw bad(`names a namespace that is none: ${JSON.stringify(namespace)}`);
    return { namespace, key, value, signature, keyId };
  });
  return { text, entries };
}

/** The namespaces of its entries, each once. */
export const namespacesOf = ({ entries }: ConfigDocument) => [...new Set(entries.map(({ namespace }) => namespace))];

/**
 * The proof: the digest of the document with each value replaced by that of `stored`, as written on disk. It equals the
 * digest of the document only if every value on disk is identical.
 */
export function proofOf({ text, entries }: ConfigDocument, stored: (entry: ConfigEntry) => string): string {
  let at = 0;
  const parts: string[] = [];
  for (const entry of entries) {
    parts.push(text.slice(at, entry.value.start), stored(entry));
    at = entry.value.end;
  }
  return sha256(parts.join('') + text.slice(at));
}

function list(text: string): Span | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const config = new Map(objectAt(text, whole(text))).get('config');
  return config && text[config.start] === '[' ? config : undefined;
}

/** Empty if the span is not an object. */
function objectAt(text: string, span: Span): [string, Span][] {
  if (text[span.start] !== '{') return [];
  return [...membersOf(text, span)].map(({ name, value }) => [name, value]);
}

function stringAt(text: string, span: Span | undefined): string | undefined {
  const value: unknown = span && JSON.parse(text.slice(span.start, span.end));
  return typeof value === 'string' ? value : undefined;
}
