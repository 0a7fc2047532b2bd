/** What fastify validates and serialises with: the schemas of the contract for listRobots and createSite, written out. */
const text = { type: 'string' } as const;
const name = { type: 'string', minLength: 1, maxLength: 128 } as const;

export const listQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['limit'],
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    cursor: { type: 'string', minLength: 1, maxLength: 256 },
    name,
    site_id: name,
    fleet_id: name,
  },
} as const;

const robot = {
  type: 'object',
  required: ['id', 'name', 'org_id', 'site_id', 'fleet_id', 'online', 'labels', 'created_at'],
  properties: {
    id: text,
    name: text,
    org_id: text,
    site_id: text,
    fleet_id: text,
    online: { type: 'boolean' },
    labels: { type: 'object', additionalProperties: text },
    created_at: text,
  },
} as const;

export const robotList = {
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: robot }, next_cursor: text },
} as const;

export const siteCreate = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name },
} as const;

export const siteResponse = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['id', 'name', 'created_at'],
      properties: { id: text, name: text, created_at: text },
    },
  },
} as const;

export const errorResponse = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } } },
} as const;
