/** What fastify validates and serializes with: the schemas of the contract for listRobots and createSite, written out. */
const text = { type: 'string' } as const;
const instant = { type: 'string', format: 'date-time' } as const;
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
    retired: { type: 'boolean' },
  },
} as const;

const reportedRelease = {
  type: 'object',
  required: ['release_id', 'tag', 'deployment_id', 'at'],
  properties: { release_id: text, tag: text, deployment_id: text, at: text, drift: {} },
} as const;

const reportedConfig = {
  type: 'object',
  required: ['config_id', 'revision', 'deployment_id', 'at'],
  properties: { config_id: text, revision: { type: 'integer' }, deployment_id: text, at: text },
} as const;

const reported = {
  type: 'object',
  required: ['releases', 'configs'],
  properties: {
    releases: { type: 'object', additionalProperties: reportedRelease },
    configs: { type: 'object', additionalProperties: reportedConfig },
  },
} as const;

const condition = {
  type: 'object',
  required: ['rule_id', 'name', 'severity', 'since', 'message'],
  properties: { rule_id: text, name: text, severity: text, since: text, message: text },
} as const;

const maintenance = {
  type: 'object',
  required: ['id', 'until', 'reason'],
  properties: { id: text, until: text, reason: text },
} as const;

const pin = {
  type: 'object',
  required: ['release_id', 'tag', 'until', 'reason', 'pinned_by', 'pinned_at'],
  properties: { release_id: text, tag: text, until: text, reason: text, pinned_by: text, pinned_at: text },
} as const;

const robot = {
  type: 'object',
  required: [
    ...['id', 'name', 'org_id', 'site_id', 'fleet_id', 'online', 'labels', 'reported', 'health_status', 'conditions'],
    'created_at',
  ],
  properties: {
    id: text,
    name: text,
    org_id: text,
    site_id: text,
    fleet_id: text,
    labels: { type: 'object', additionalProperties: text },
    replaces: text,
    replaced_by: text,
    retired_at: instant,
    created_at: instant,
    online: { type: 'boolean' },
    last_seen_at: instant,
    duplicate_agent_at: instant,
    reported,
    cameras: { type: 'array', items: text },
    topics: { type: 'boolean' },
    timezone: text,
    health_status: text,
    health_since: instant,
    conditions: { type: 'array', items: condition },
    maintenance,
    pin,
  },
} as const;

export const robotList = {
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: robot }, next_cursor: text },
} as const;

/** Its name neither begins nor ends with white space, and has no control characters. */
export const siteCreate = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: {
      ...name,
      pattern: String.raw`^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$`,
    },
  },
} as const;

export const siteResponse = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['id', 'name', 'created_at'],
      properties: { id: text, name: text, created_at: instant },
    },
  },
} as const;

export const errorResponse = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } } },
} as const;
