/** Reports a fault of the node that is visited, or of what `path` leads to below it. */
export const report = (context, message, path = []) =>
  context.report({
    message,
    location: path.reduce((location, key) => location.child(key), context.location),
  });

/** What a value stands for, references followed; from where the value stands, which may be another file. */
export const resolved = (context, value) => (value?.$ref === undefined ? value : context.resolve(value).node);
