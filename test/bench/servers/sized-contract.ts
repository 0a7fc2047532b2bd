import contract from '../../../generated/openapi.json' with { type: 'json' };
import { validators } from '../../../generated/validators.js';

type Item = Record<string, { operationId: string }>;
export interface Contract {
  document: { paths: Record<string, Item> };
  validators: typeof validators;
}

/** The ids of all operations, in the order of the document. */
export const operationsOf = (document: Contract['document']): string[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

/**
 * The contract cut or grown to `operations` operations. The paths of robots come first, so a cut keeps them. Growing adds all paths again as
 * `/api/robots-1/{id}` and so on: paths of one length and with the same parameters multiply, as they do in a growing API.
 */
export function sizedContract(operations: number): Contract {
  const document = contract as unknown as Contract['document']; // JSON has no index signatures
  const real = Object.entries(document.paths);
  const paths: Contract['document']['paths'] = {};
  const sized: Contract = { document: { ...document, paths }, validators: {} };
  const add = (path: string, method: string, id: string, copyOf: { operationId: string }) => {
    (paths[path] ??= {})[method] = { ...copyOf, operationId: id };
    const compiled = validators[copyOf.operationId];
    if (compiled) sized.validators[id] = compiled;
  };
  const named = (path: string, copy: number) =>
    copy === 0 ? path : path.replace(/^\/([^/]+)\/([^/{]+)/, `/$1/$2-${copy}`);
  const first = [...real].sort(
    ([left], [right]) => Number(right.startsWith('/api/robots')) - Number(left.startsWith('/api/robots')),
  );
  for (let copy = 0, left = operations; left > 0; copy += 1)
    for (const [path, item] of first)
      for (const [method, operation] of Object.entries(item))
        if (left > 0) {
          add(
            named(path, copy),
            method,
            copy === 0 ? operation.operationId : `${operation.operationId}Copy${copy}`,
            operation,
          );
          left -= 1;
        }
  return sized;
}
