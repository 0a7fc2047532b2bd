import { mergeConfig } from 'vitest/config';
import everything from './vitest.config.ts';

/**
 * What `npm test` leaves to `npm run test:full`: tests that take long because they start programs, terminals, browsers, several replicas or crowds, or
 * try the same thing very often. What they test has a quicker test too, mostly of its parts.
 */
const onlyInFull = [
  'test/{docs,enrollment,faults,generators,portal}/**',
  'test/agent-links/{crowds,flapping,links,orders-replicas,orders,replicas,stopping}.test.ts',
  'test/app/{several-replicas,start}.test.ts',
  'test/artifacts/{artifacts-s3,transfers}.test.ts',
  'test/audit/sealing.test.ts',
  'test/cli/agent/{example,link,places,previous-release,run,token-rotation,troubles}.test.ts',
  'test/cli/agent/{camera,ros,shell,simulate}/**',
  'test/cli/agent/orders/orders-run.test.ts',
  'test/cli/agent/releases/{artifacts,containers*}.test.ts',
  'test/cli/agent/signatures/{signatures-service,signers}.test.ts',
  'test/cli/agent/update/{self-update,supervisor}.test.ts',
  'test/cli/client/**',
  'test/cli/commands/{audit,logs,watch}/**',
  'test/cli/commands/several-orgs.test.ts',
  'test/cli/commands/deployments/{deploy,deployments-watch}.test.ts',
  'test/cli/commands/releases/releases-upload.test.ts',
  'test/cli/conformance/conformance.test.ts',
  'test/cli/live/{playback,topics}/**',
  'test/cli/live/{live,camera/camera,shell/shell,shell/shell-terminal}.test.ts',
  'test/cli/output/pager.test.ts',
  'test/cli/ui/data/{connection-monitor,mutations,tail}.test.ts',
  'test/cli/ui/change-flows/{changes,orders}.test.ts',
  'test/cli/ui/terminal/**',
  'test/contract/{authorization,play-streams,play-transcripts}.test.ts',
  'test/deployments/api/deployments-intents.test.ts',
  'test/deployments/engine/{claims,drift,endings,hot-updates,parallel}.test.ts',
  'test/live/dial-back/{draining,pressure,replicas,rights,shell}.test.ts',
  'test/live/logs/**',
  'test/live/media/{replicas,sharing}.test.ts',
  'test/live/recordings/{crash,recording}.test.ts',
  'test/logs/merging.test.ts',
  'test/platform/db/{embedded/**,lists.test.ts}',
  'test/platform/http/{connections,generated-calls,nasty-*,rate-limits,sampling}.test.ts',
  'test/repository/{check-skips,code-rules,imports}.test.ts',
  'test/tokens/access.test.ts',
];

export default mergeConfig(everything, { test: { exclude: onlyInFull } });
