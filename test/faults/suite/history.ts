/** What a caller saw. `unknown`: no response, so that the service may have done it or not. */
export type Outcome = 'ok' | 'refused' | 'unknown';

/** What the load does. A `use` presents a token that may be revoked. */
export type Kind = 'read' | 'site' | 'deployment' | 'upload' | 'use' | 'revoke';

/** One request. */
export interface Call {
  kind: Kind;
  /** What it is about: requests with the same key are tries of one operation. Empty for a read. */
  key: string;
  startMs: number;
  endMs: number;
  outcome: Outcome;
  /** 0 without a response. */
  status: number;
  /** What was created, if the response says it. */
  id?: string;
}

/** A time in which a robot knew that its link worked. */
export interface LinkSpan {
  robotId: string;
  startMs: number;
  /** When the robot last heard the service on it. */
  heardMs: number;
}

/** What the API said of a robot. */
export interface Sighting {
  robotId: string;
  atMs: number;
  online: boolean;
}

/** What a reader of a live stream received, in order. Both ends number from 1. */
export interface Reading {
  stream: string;
  numbers: number[];
  /** Numbers that the stream reported as skipped. */
  skipped: number;
  /** Why the stream ended by itself. */
  failure?: string;
}

/** Records of one spool that the service acknowledged. */
export interface Acknowledgement {
  robotId: string;
  spool: string;
  upTo: number;
}

/** Everything that the load did and saw. */
export interface History {
  calls: Call[];
  links: LinkSpan[];
  sightings: Sighting[];
  readings: Reading[];
  acknowledgements: Acknowledgement[];
}

export const emptyHistory = (): History => ({
  calls: [],
  links: [],
  sightings: [],
  readings: [],
  acknowledgements: [],
});

/** 429 and 503 are the refusals of a service that is not available. */
export const outcomeOf = (status: number): Outcome =>
  status >= 200 && status < 300 ? 'ok' : status === 0 || status >= 500 ? 'unknown' : 'refused';
