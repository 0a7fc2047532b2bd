/** The target of a deployment, as in its request. */
export type Target =
  { target_kind: 'robot' | 'fleet'; target_id: string } | { target_kind: 'selector'; target_selector: string };

/** In the API's format. */
export interface Signature {
  signature: string;
  key_id: string;
}
