/** Facts of a request, once they are known. */
interface RequestFacts {
  route: string | undefined; // as in the contract, `/api/robots/{id}`
  operation: string | undefined;
  orgId: string | undefined;
  status: number;
}

export type Attributes = Record<string, string | number>;

/** Work that has ended. */
export interface EndedWork {
  name: string;
  parent: string; // its trace context
  startedAt: Date;
  endedAt: Date;
  attributes: Attributes;
  error?: string | undefined; // why it failed
}

/**
 * Traces of OpenTelemetry. A trace context is a text, the value of the header `traceparent` of W3C. Spans contain no tokens, no
 * bodies and no values of statements.
 */
export interface Tracing {
  /** Runs a request in a span of its own; `context` is the caller's. The work calls `describe` before it ends. */
  request<T>(
    method: string,
    context: string | undefined,
    work: (describe: (facts: RequestFacts) => void) => Promise<T>,
  ): Promise<T>;
  /** Begins a span of a statement, and returns the function that ends it; undefined if it belongs to no request. */
  statement(text: string): ((error?: unknown) => void) | undefined;
  /** Runs work that the request in progress causes, but does not wait for. */
  outside(work: () => void): void;
  /** The trace context of the request in progress, if its trace is exported. */
  context(): string | undefined;
  /** Trace ID of the request in progress, for its log lines. */
  traceId(): string | undefined;
  /** Adds a span. Returns its own trace context, undefined if its trace is not exported. */
  record(work: EndedWork): string | undefined;
  /** Spans that were not exported since the start. */
  readonly dropped: number;
  /** Exports what is left, for at most 2 s. False if it did not end by then. */
  stop(): Promise<boolean>;
}
