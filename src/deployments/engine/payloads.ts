import { hash } from 'node:crypto';
import type { Config } from '../../configs/service.ts';
import type { Release } from '../../releases/service.ts';

/** What a deployment brings, fixed when it is created: its lane, and the bytes that robots receive. */
export interface Payload {
  lane: string; // config, or release:<kind>
  payloadKey: string; // what it sets within the lane
  releaseId?: string;
  config?: { id: string; revision: number; namespace: string; key: string };
  payload: string; // JSON text; its bytes are hashed, so it is never serialized again
  digest: string; // SHA-256 of the payload, in hex
  proof: string; // what a robot must prove to run
}

export function releasePayload(release: Release): Payload {
  const { id, tag, kind, artifactSha256, artifactSize, signature, keyId } = release;
  const payload = JSON.stringify({
    release: {
      id,
      tag,
      kind,
      artifact_sha256: artifactSha256,
      artifact_size: artifactSize,
      ...(signature === undefined ? {} : { signature, key_id: keyId }),
    },
  });
  const lane = `release:${kind}`;
  return { lane, payloadKey: lane, releaseId: id, payload, digest: hash('sha256', payload), proof: artifactSha256 };
}

/**
 * The payload of one entry. Robots get it inside a document of all their entries (`{"config":[…]}`), made of these
 * exact texts.
 */
export function configPayload({ id, revision, namespace, key, value }: Config): Payload {
  const [namespaceText, keyText] = [JSON.stringify(namespace), JSON.stringify(key)];
  const payload = `{"namespace":${namespaceText},"key":${keyText},"revision":${revision},"value":${value}}`;
  const digest = hash('sha256', payload);
  const config = { id, revision, namespace, key };
  return { lane: 'config', payloadKey: `${namespace}/${key}`, config, payload, digest, proof: digest };
}
