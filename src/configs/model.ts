/** A key and its newest value, or the value of one of its revisions. Each set makes a new revision. */
export interface Config {
  id: string;
  namespace: string;
  key: string; // unique in its namespace
  value: string; // JSON text
  revision: number; // from 1, without gaps
  createdAt: Date;
  updatedAt: Date;
}

export interface ConfigFilter {
  namespace?: string | undefined;
  key?: string | undefined;
  isDeleted?: boolean | undefined; // default: false
}

export const defaultNamespace = 'default';

/** Reserved for future use by the agent and the service. */
export const reservedNamespaces: readonly string[] = ['agent', 'system'];

/** Of a value as JSON in UTF-8. */
export const maxValueBytes = 65_536;
