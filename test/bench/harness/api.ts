import { randomUUID } from 'node:crypto';

/** Calls a running server as the operator does; gives the data of the answer. @throws unless it is a 2xx */
export function apiOf(url: string, token: string) {
  async function call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ data: Record<string, unknown>; bytes: number }> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body ? { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return { data: (JSON.parse(text) as { data: Record<string, unknown> }).data, bytes: text.length };
  }
  return { call };
}
