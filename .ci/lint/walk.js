/** Each schema inside another one, with the keys that lead there. */
export function* inner(schema) {
  for (const [name, child] of Object.entries(schema.properties ?? {})) yield [['properties', name], child];
  for (const key of ['items', 'additionalProperties', 'propertyNames', 'not'])
    if (typeof schema[key] === 'object') yield [[key], schema[key]];
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const [index, child] of (schema[key] ?? []).entries()) yield [[key, index], child];
}

/** Follows what bodies are made of, references included, and lets `judge` look once at each schema: Redocly itself stops at the first level. */
function bodies(judge) {
  const seen = new Set();
  const walk = (value, at, context) => {
    const { node: schema, location } =
      value.$ref === undefined ? { node: value, location: at } : context.resolve(value, at.source.absoluteRef);
    if (schema === undefined || seen.has(schema)) return;
    seen.add(schema);
    judge(schema, (message, path) =>
      context.report({ message, location: path.reduce((place, key) => place.child(key), location) }),
    );
    for (const [path, child] of inner(schema))
      walk(
        child,
        path.reduce((place, key) => place.child(key), location),
        context,
      );
  };
  return {
    MediaType(media, context) {
      if (media.schema) walk(media.schema, context.location.child('schema'), context);
    },
  };
}

/** A rule about what a client sends: `judge` gets each schema and says what is wrong at keys below it. */
export const inRequests = (judge) => () => ({ RequestBody: bodies(judge) });
/** The same of what it gets. */
export const inReplies = (judge) => () => ({ Response: bodies(judge) });
