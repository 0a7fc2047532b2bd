import type { Invocation } from './command-spec.ts';

/** Thrown instead of sending a request that changes something, in a line with `--dry-run`. Not a failure. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** JSON; undefined: none, or a file. */
  readonly body: string | undefined;

  constructor(method: string, path: string, body: string | undefined) {
    super(`${method} ${path}`);
    this.method = method;
    this.path = path;
    this.body = body;
  }
}

export const isDryRun = ({ flags }: Pick<Invocation, 'flags'>): boolean => flags.has('dry-run') && flags.on('dry-run');
