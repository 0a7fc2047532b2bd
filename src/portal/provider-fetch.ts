import type { CustomFetch } from 'openid-client';

/** Responses about a provider, its keys and a person have a few KiB. They are read whole, so the length is limited. */
const maxAnswerBytes = 1024 * 1024;

/** `fetch` that aborts responses beyond the limit. */
export const limitedFetch: CustomFetch = async (url, options) => {
  const answer = await fetch(url, { ...options, body: options.body ?? null });
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes) controller.error(new Error(`a response is longer than ${maxAnswerBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(answer.body?.pipeThrough(limit) ?? null, answer);
};
