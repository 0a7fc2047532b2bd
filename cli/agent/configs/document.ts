import { StepFailed } from '../orders/handler.ts';
import { sha256 } from '../orders/payload.ts';
import { membersOf, partsOf, whole, type Span } from './raw-json.ts';

/** One value of an order. */
interface ConfigEntry {
  namespace: string;
  key: string;
  /** Where it stands in the document. */
  value: Span;
  /** Who vouches for this entry, and by which key. */
  signature: string | undefined;
  keyId: string | undefined;
}

/** What a config order carries. */
interface ConfigDocument {
  text: string;
  entries: readonly ConfigEntry[];
}

const namespacePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Throws StepFailed if it is none: `{"config": [{"namespace", "key", "revision", "value", "signature"?, "key_id"?}]}`. */
export function readDocument(text: string): ConfigDocument {
  const bad = (why: string) => new StepFailed('bad_payload', `the payload ${why}`);
  const config = list(text);
  if (!config) throw bad('holds no config');
  const entries = [...partsOf(text, config)].map((part): ConfigEntry => {
    const members = new Map([...objectAt(text, part)]);
    const [namespace, key, signature, keyId] = ['namespace', 'key', 'signature', 'key_id'].map((name) =>
      stringAt(text, members.get(name)),
    );
    const value = members.get('value');
    if (namespace === undefined || key === undefined || !value) throw bad('has an entry that is none');
    // It becomes the name of a file.
    if (!namespacePattern.test(namespace)) throw bad(`names a namespace that is none: ${JSON.stringify(namespace)}`);
    return { namespace, key, value, signature, keyId };
  });
  return { text, entries };
}

/** The namespaces of its entries, each once. */
export const namespacesOf = ({ entries }: ConfigDocument) => [...new Set(entries.map(({ namespace }) => namespace))];

/**
 * The proof: the digest of the document with each value in the place of its own that `stored` gives, as it stands on disk. It is the
 * digest of the document itself only if every value is there to the letter.
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

/** Nothing for what is no object. */
function objectAt(text: string, span: Span): [string, Span][] {
  if (text[span.start] !== '{') return [];
  return [...membersOf(text, span)].map(({ name, value }) => [name, value]);
}

function stringAt(text: string, span: Span | undefined): string | undefined {
  const value: unknown = span && JSON.parse(text.slice(span.start, span.end));
  return typeof value === 'string' ? value : undefined;
}
