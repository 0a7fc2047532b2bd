/** The target of a deployment. */
export type TargetKind = 'robot' | 'fleet';

export interface Target {
  target_kind: TargetKind;
  target_id: string;
}

/** In the API's format. */
export interface Signature {
  signature: string;
  key_id: string;
}
