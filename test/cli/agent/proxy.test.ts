import { expect } from 'vitest';
import { beRobot, startAgent } from '../../support/agent-process.ts';
import { startAgentServer } from '../../support/agent-server.ts';
import { listen, startHome } from '../../support/cli.ts';
import { startTlsFront, tlsHost } from '../../support/tls-front.ts';
import { testWith } from '../../support/tools.ts';

testWith('openssl')(
  'the link goes through the proxy of HTTPS_PROXY, and trusts the service by --ca-file alone',
  async () => {
    await using server = await startAgentServer();
    await using home = await startHome();
    await using tls = await startTlsFront(home.path, Number(new URL(server.url).port));
    await using proxy = await listen((_, response) => response.end(), tls.port);
    await beRobot(home, `https://${tlsHost}`);
    const env = { HTTPS_PROXY: proxy.url };
    {
      await using stranger = startAgent(home, [], env);
      await stranger.sees('Not connected: self-signed certificate');
    }
    expect(server.links).toEqual([]);
    await using agent = startAgent(home, ['--ca-file', tls.cert], env);
    await agent.sees(`Connected to https://${tlsHost} as amr-007`);
    await server.until(() => server.messages('agent').length > 0);
    expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${tlsHost}:443`]));
    expect(server.links[0]?.request.headers.authorization).toBe('Bearer svc_robot_test');
    agent.kill('SIGTERM');
    expect((await agent.ended).code).toBe(0);
  },
);
