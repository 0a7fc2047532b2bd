/** Contracts that each break one rule of `.ci/lint`, to test the rules' messages. */

type Node = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- documents that are wrong on purpose have no type

export interface Fault {
  rule: string | undefined; // undefined: a valid document
  says?: RegExp;
  document: Node;
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const text = (description: string, more: Node = {}) => ({ type: 'string', description, examples: ['x'], ...more });
const number = (description: string, more: Node = {}) => ({
  type: 'integer',
  format: 'int64',
  description,
  examples: [1],
  ...more,
});
const headers = { 'X-Request-Id': ref('headers', 'XRequestId'), 'X-Spec-Digest': ref('headers', 'XSpecDigest') };
const json = (schema: Node, example: unknown) => ({ 'application/json': { schema, example } });
const refusals = ['400', '401', '403', '404', '413', '415', '417', '429', '431', '500', '503'];

/** A contract with a list, a change and an order, which exercises every rule and breaks none. */
function contract(): Node {
  const shared = Object.fromEntries(refusals.map((status) => [status, ref('responses', 'Refused')]));
  const operation = (operationId: string, more: Node) => ({
    operationId,
    tags: ['Sites'],
    summary: 'Do it',
    description: 'Does what it says to each of them.',
    security: [{ bearerAuth: ['viewer'] }],
    'x-token-kinds': ['user'],
    ...more,
    responses: { ...shared, ...more['responses'] },
  });
  const answer = (schema: string, example: unknown) => ({
    description: 'What there is.',
    headers,
    content: json(ref('schemas', schema), example),
  });
  const parameter = (name: string, more: Node) => ({ name, in: 'query', description: 'Where it begins.', ...more });
  const limit = { schema: { type: 'integer', minimum: 1, maximum: 100 }, description: 'At most so many, 1 to 100.' };
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1', description: 'D.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'Here.' }],
    security: [{ bearerAuth: ['admin'] }],
    tags: [
      { name: 'Sites', description: 'Places.' },
      { name: 'Orders', description: 'What is to be done.' },
    ],
    'x-tagGroups': [{ name: 'All', tags: ['Sites', 'Orders'] }],
    paths: {
      '/api/sites': {
        get: operation('listSites', {
          parameters: [
            parameter('limit', { ...limit, example: 5 }),
            parameter('cursor', { schema: { type: 'string' }, example: 'x' }),
          ],
          responses: { '200': answer('SiteList', { items: [] }) },
        }),
        post: operation('createSite', {
          requestBody: { required: true, content: json(ref('schemas', 'SiteCreate'), { name: 'x' }) },
          responses: { '201': answer('Site', { name: 'x' }) },
        }),
      },
      '/api/deployments': {
        post: operation('createDeployment', {
          tags: ['Orders'],
          parameters: [ref('parameters', 'IdempotencyKey')],
          responses: { '201': answer('Site', { name: 'x' }) },
        }),
      },
    },
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', description: 'A token.' } },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: true,
          description: 'A key.',
          schema: { type: 'string' },
          example: 'x',
        },
      },
      headers: {
        XRequestId: { description: 'The request.', schema: { type: 'string' }, example: 'x' },
        XSpecDigest: { description: 'The contract.', schema: { type: 'string' }, example: 'x' },
      },
      responses: { Refused: { description: 'No.', headers, content: json(ref('schemas', 'Error'), { code: 'x' }) } },
      schemas: {
        Error: { type: 'object', description: 'Why not.', properties: { code: text('Which.') } },
        SiteList: {
          type: 'object',
          description: 'Sites.',
          properties: { items: { type: 'array', description: 'By name.', items: ref('schemas', 'Site') } },
        },
        Site: { type: 'object', description: 'A site.', properties: { name: text('Its name.') } },
        SiteCreate: {
          type: 'object',
          description: 'A site to make.',
          additionalProperties: false,
          properties: {
            name: text('Its name.'),
            wait_seconds: number('How long it waits, 1 to 60.', { minimum: 1, maximum: 60 }),
          },
        },
      },
    },
  };
}

interface Parts {
  document: Node;
  list: Node;
  create: Node;
  order: Node;
  schemas: Node;
  sent: Node; // properties of the request
  given: Node; // properties of the response
}

function broken(rule: string | undefined, says: RegExp | undefined, edit: (parts: Parts) => unknown): Fault {
  const document = contract();
  const { schemas } = document['components'];
  const sites = document['paths']['/api/sites'];
  const order = document['paths']['/api/deployments'].post;
  const [sent, given] = [schemas.SiteCreate.properties, schemas.Site.properties];
  edit({ document, list: sites.get, create: sites.post, order, schemas, sent, given });
  return { rule, ...(says ? { says } : {}), document };
}

export const brokenContracts: Record<string, Fault> = {
  'nothing wrong': broken(undefined, undefined, () => undefined),
  'an id that is no verb and noun': broken('operation-id', /write one such as createSite/, ({ create }) => {
    create['operationId'] = 'sites_create';
  }),
  'an operation without token kinds': broken('operation-is-whole', /lacks x-token-kinds/, ({ create }) => {
    delete create['x-token-kinds'];
  }),
  'an undeclared 415': broken('operation-declares-refusals', /does not declare 415/, ({ create }) => {
    delete create['responses']['415'];
  }),
  'an undeclared 503': broken('operation-declares-refusals', /does not declare 503/, ({ list }) => {
    delete list['responses']['503'];
  }),
  'an error of its own': broken('refusals-are-shared', /404 is written out here/, ({ create, document }) => {
    create['responses']['404'] = document['components'].responses.Refused;
  }),
  'a list without a cursor': broken('list-has-pages', /take Limit and Cursor/, ({ list }) => {
    list['parameters'].pop();
  }),
  'an order without a key': broken('orders-take-a-key', /could only order twice/, ({ order, document }) => {
    order['parameters'] = [];
    document['paths']['/api/sites'].post.parameters = [ref('parameters', 'IdempotencyKey')];
  }),
  'a reply without its digest': broken('replies-name-their-request', /declare X-Spec-Digest/, ({ create }) => {
    create['responses']['201'].headers = { 'X-Request-Id': ref('headers', 'XRequestId') };
  }),
  'a tag in no group': broken('tags-in-groups', /Orders is in no group/, ({ document }) => {
    document['x-tagGroups'] = [{ name: 'All', tags: ['Sites'] }];
  }),
  'a tag in two groups': broken('tags-in-groups', /stands there twice/, ({ document }) => {
    document['x-tagGroups'].push({ name: 'More', tags: ['Orders'] });
  }),
  'tags in another order': broken('tags-in-order', /Orders comes before Sites/, ({ document }) => {
    document['x-tagGroups'] = [{ name: 'All', tags: ['Orders', 'Sites'] }];
  }),
  'a body without a name': broken('bodies-are-named', /move the schema/, ({ create, schemas }) => {
    create['responses']['201'].content['application/json'].schema = structuredClone(schemas['Site']);
  }),
  'an object inside a schema': broken('parts-are-named', /an object is written out/, ({ given }) => {
    given['place'] = { type: 'object', description: 'Where.', examples: [{}], properties: { city: text('Which.') } };
  }),
  'an enumeration inside a schema': broken('parts-are-named', /an enumeration is written out/, ({ sent }) => {
    sent['kind'] = text('Which.', { enum: ['x', 'y'] });
  }),
  'an open request': broken('requests-are-closed', /additionalProperties: false/, ({ schemas }) => {
    delete schemas['SiteCreate'].additionalProperties;
  }),
  'a closed reply': broken('replies-are-open', /refuse the next field/, ({ schemas }) => {
    schemas['Site'].additionalProperties = false;
  }),
  'an enumeration in a reply': broken('replies-have-open-values', /expect new values/, ({ schemas, given }) => {
    schemas['Kind'] = text('Which.', { enum: ['x', 'y'] });
    given['kind'] = ref('schemas', 'Kind');
  }),
  'a pattern without words': broken('pattern-in-words', /as x-message/, ({ sent }) => {
    sent['name'].pattern = '^x+$';
  }),
  'a null': broken('subset-no-null', /leave the property out/, ({ given }) => {
    given['name'].type = ['string', 'null'];
  }),
  'a const': broken('subset-keywords', /write an enum of one value/, ({ sent }) => {
    sent['name'].const = 'x';
  }),
  'an exclusive minimum': broken('subset-keywords', /a number in 3\.1 and a flag in 3\.0/, ({ sent }) => {
    delete sent['wait_seconds'].minimum;
    sent['wait_seconds'].exclusiveMinimum = 0;
  }),
  'an integer of any width': broken('integers-tell-their-width', /write format: int64/, ({ given }) => {
    given['bytes'] = number('Its size in bytes.');
    delete given['bytes'].format;
  }),
  'a text beside a reference': broken(
    'subset-references-stand-alone',
    /description stands beside a \$ref/,
    ({ schemas }) => {
      schemas['SiteList'].properties.items.items.description = 'One of them.';
    },
  ),
  'a description that is no sentence': broken('descriptions-are-sentences', /begin with a capital/, ({ given }) => {
    given['name'].description = 'its name';
  }),
  'a property without a description': broken('schemas-are-described', /name has no description/, ({ given }) => {
    delete given['name'].description;
  }),
  'the summary again': broken('descriptions-add-something', /is the summary again/, ({ create }) => {
    create['description'] = 'Do it.';
  }),
  'a summary that is a sentence': broken('summaries-are-titles', /no full stop/, ({ create }) => {
    create['summary'] = 'Makes a site.';
  }),
  'a number of nobody knows what': broken('numbers-have-units', /what size counts/, ({ given }) => {
    given['size'] = number('Large or small.');
  }),
  'a limit that is not told': broken('limits-are-told', /from which number to which/, ({ sent }) => {
    sent['wait_seconds'].description = 'How long it waits.';
  }),
  'a default that is not told': broken('defaults-are-told', /the default of wait_seconds, 30/, ({ sent }) => {
    sent['wait_seconds'].default = 30;
  }),
};
