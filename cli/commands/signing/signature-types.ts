/** What a deployment is for. */
export type TargetKind = 'robot' | 'fleet';

export interface Target {
  target_kind: TargetKind;
  target_id: string;
}

/** As the API takes it. */
export interface Signature {
  signature: string;
  key_id: string;
}
