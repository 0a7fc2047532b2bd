import type { CustomFetch } from 'openid-client';

/** What a provider says of itself, of its keys and of a person has a few KiB. It is read whole, so more than this must not come. */
const maxAnswerBytes = 1024 * 1024;

/** `fetch` whose answers break off where they become too long. */
export const limitedFetch: CustomFetch = async (url, options) => {
  const answer = await fetch(url, { ...options, body: options.body ?? null });
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes) controller.error(new Error(`an answer is longer than ${maxAnswerBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(answer.body?.pipeThrough(limit) ?? null, answer);
};
