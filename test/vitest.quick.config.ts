import { mergeConfig } from 'vitest/config';
import everything from './vitest.config.ts';

/**
 * What `npm test` leaves to `npm run test:full`: tests that take long because they start programs, terminals, browsers, several replicas or crowds, or
 * try the same thing very often. What they test has a quicker test too, mostly of its parts.
 */
const onlyInFull = [
  'test/{client,docs,embedded,faults,generators,portal}/**',
  'test/agent/{artifacts,conformance,containers*,example,link,orders-run,places,previous-release,run,signatures-service,signers}.test.ts',
  'test/agent/{self-update,simulate,supervisor,token-rotation,troubles}.test.ts',
  'test/agent/{camera,ros,shell}/**',
  'test/api/{access,artifacts-s3,deployments-intents,enrollment,lists,transfers}.test.ts',
  'test/audit/sealing.test.ts',
  'test/cli/{audit-verify,camera,deploy,deployments-watch,live,logs-follow,pager,releases-upload,session,several-orgs}.test.ts',
  'test/cli/{shell,shell-terminal,topics,watch}.test.ts',
  'test/contract/{authorization,play-streams,play-transcripts}.test.ts',
  'test/deployments/{claims,drift,endings,hot-updates,parallel}.test.ts',
  'test/http/{connections,generated-calls,nasty-*,rate-limits,sampling}.test.ts',
  'test/logs/merging.test.ts',
  'test/relay/{draining,pressure,replicas,rights,shell}.test.ts',
  'test/repository/{check-skips,direction}.test.ts',
  'test/server/{several-replicas,start}.test.ts',
  'test/sessions/{crash,recording}.test.ts',
  'test/stores/{deeds,tail,way}.test.ts',
  'test/streams/{crowds,flapping,links,live-logs,orders,orders-replicas,replicas,stopping}.test.ts',
  'test/ui/doing/{changes,orders}.test.ts',
  'test/ui/terminal/**',
  'test/watching/{replicas,sharing}.test.ts',
];

export default mergeConfig(everything, { test: { exclude: onlyInFull } });
