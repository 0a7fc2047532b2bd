import { hash } from 'node:crypto';
import type { Config } from '../../configs/service.ts';
import type { Release } from '../../releases/service.ts';

/** What a deployment is of, fixed when it is ordered: the lane it takes, and the bytes that robots are given. */
export interface Payload {
  lane: string; // config, or release:<kind>
  payloadKey: string; // what of the lane it sets
  releaseId?: string;
  config?: { id: string; revision: number; namespace: string; key: string };
  payload: string; // JSON text; its bytes are hashed, so they are never written anew
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

/** The payload of the entry alone; robots get it within a document of all their entries (`{"config":[…]}`), made of these very texts. */
export function configPayload({ id, revision, namespace, key, value }: Config): Payload {
  const [namespaceText, keyText] = [JSON.stringify(namespace), JSON.stringify(key)];
  const payload = `{"namespace":${namespaceText},"key":${keyText},"revision":${revision},"value":${value}}`;
  const digest = hash('sha256', payload);
  const config = { id, revision, namespace, key };
  return { lane: 'config', payloadKey: `${namespace}/${key}`, config, payload, digest, proof: digest };
}
