import { expect, test } from 'vitest';
import { fetchPayload } from '../../../../cli/agent/orders/payload.ts';
import { listen } from '../../../support/cli.ts';
import { sha256 } from '../../../support/orders.ts';

test('each attempt to download a payload sends the current token of the robot', async () => {
  const authorizations: unknown[] = [];
  let token = 'svc_robot_one';
  await using service = await listen((request, response) => {
    authorizations.push(request.headers.authorization);
    if (authorizations.length === 1) {
      token = 'svc_robot_two';
      response.writeHead(503).end();
    } else response.end(JSON.stringify({ data: { payload: '{}' } }));
  });
  const source = {
    backendUrl: service.url,
    get token() {
      return token;
    },
    socketOptions: {},
  };
  expect(await fetchPayload(sha256('{}'), source, new AbortController().signal)).toBe('{}');
  expect(authorizations).toEqual(['Bearer svc_robot_one', 'Bearer svc_robot_two']);
});
