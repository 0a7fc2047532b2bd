import { report, resolved } from './report.js';

const verbs =
  'list get create set update delete upload download revoke cancel approve suspend enroll resume advance pause abort skip rotate invite claim end test';
const verbNoun = new RegExp(`^(${verbs.replaceAll(' ', '|')})[A-Z][A-Za-z]+$`);
const parts = ['operationId', 'summary', 'description', 'tags', 'security', 'x-token-kinds', 'responses'];
const refusals = ['400', '401', '403', '417', '429', '431', '500', '503'];
const headers = ['X-Request-Id', 'X-Spec-Digest'];

/** A rule that looks at operations alone: `judge` gets one with its references followed, its method and its path. */
const ofOperations = (judge) => () => ({
  PathItem(item, context) {
    for (const method of ['get', 'put', 'post', 'patch', 'delete', 'head']) {
      const operation = item[method];
      if (!operation) continue;
      const say = (message, ...path) => report(context, message, [method, ...path]);
      const parameters = (operation.parameters ?? []).map((each) => resolved(context, each) ?? {});
      judge({ method, operation, parameters, path: String(context.key), context, say });
    }
  },
});

const json = ({ content } = {}) => content?.['application/json'];

export const operationRules = {
  'operation-id': ofOperations(({ operation: { operationId = '' }, say }) => {
    if (!verbNoun.test(operationId))
      say(
        `operationId "${operationId}" is not a known verb and a noun in camelCase. Generated clients call their methods by it, and it is frozen once published: write one such as createSite; known verbs are ${verbs}`,
        'operationId',
      );
  }),

  'operation-is-whole': ofOperations(({ operation, say }) => {
    const lacking = parts.filter((part) => operation[part] === undefined);
    if (lacking.length > 0)
      say(
        `the operation lacks ${lacking.join(', ')}. The server enforces what stands here, so nothing is implied: security names the least role, x-token-kinds the kinds of token`,
      );
  }),

  'operation-declares-refusals': ofOperations(({ operation, parameters, path, say }) => {
    const needed = [
      ...refusals,
      ...(path.includes('{') || parameters.some(({ name }) => name === 'X-Service-Org-Id') ? ['404'] : []),
      ...(json(operation.requestBody) ? ['413', '415'] : []),
    ];
    const lacking = needed.filter((status) => operation.responses?.[status] === undefined);
    if (lacking.length > 0)
      say(
        `the operation does not declare ${lacking.join(', ')}. A client in a typed language cannot read an answer that is not declared: refer to the shared response of each from its first version on`,
        'responses',
      );
  }),

  'refusals-are-shared': ofOperations(({ operation, say }) => {
    for (const [status, response] of Object.entries(operation.responses ?? {}))
      if (/^[45]/.test(status) && response.$ref === undefined)
        say(
          `${status} is written out here. Errors have one envelope, and clients one type for it: put the response in components and refer to it`,
          'responses',
          status,
        );
  }),

  'list-has-pages': ofOperations(({ operation, parameters, context, say }) => {
    const schema = resolved(context, json(resolved(context, operation.responses?.['200']))?.schema);
    if (schema?.properties?.items === undefined || schema.properties.truncated) return;
    const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    if (!names.includes('limit') || !(names.includes('cursor') || names.includes('after')))
      say(
        'the list cannot be read in pages. One of 10,000 items would stop the client that shows them: take Limit and Cursor, or limit and after for records without end; a list that is cut by itself says so in `truncated`',
        'parameters',
      );
  }),

  'orders-take-a-key': ofOperations(({ method, parameters, path, say }) => {
    if (method !== 'post' || !path.endsWith('/deployments')) return;
    if (!parameters.some((each) => each.name === 'Idempotency-Key' && each.in === 'header' && each.required === true))
      say(
        'a POST that orders something takes a required Idempotency-Key. A client that lost the answer could only order twice, or not at all: refer to parameters/IdempotencyKey',
        'parameters',
      );
  }),

  'replies-name-their-request': () => ({
    Response(response, context) {
      const lacking = headers.filter((name) => response.headers?.[name] === undefined);
      if (lacking.length > 0)
        report(
          context,
          `the response does not declare ${lacking.join(' and ')}. Every answer carries them; without the first a report cannot be found in the log, without the second a client does not see that it is out of date: refer to components/headers`,
        );
    },
  }),
};
