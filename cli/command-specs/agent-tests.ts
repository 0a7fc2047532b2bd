import type { CommandSpec } from '../command-line/command-spec.ts';
import { enrollmentKey } from '../command-line/global-flags.ts';

/** Tests of fleets and agents, without a robot. */
export const agentTestCommands: readonly CommandSpec[] = [
  {
    path: 'agent simulate',
    summary: 'Simulate thousands of robots in one process, for trials and load tests',
    description:
      'Each simulated robot has a real link to the service. The same seed simulates the same robots again, also with another key; enrolling uses the key once per robot. Prints totals at the end. Ctrl-C ends it with exit code 0.',
    prints: 'json',
    flags: [
      {
        name: 'count',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 25_000,
        required: true,
        description: 'Number of robots, 1 to 25000',
      },
      { ...enrollmentKey, description: 'Enroll the robots with this key' },
      {
        name: 'profile',
        type: 'text',
        value: 'profile',
        description:
          'Behavior: idle, busy, flaky, or a JSON file with some of their keys. Select the service by SERVICE_PROFILE',
        whenAbsent: 'idle',
      },
      {
        name: 'seed',
        type: 'text',
        value: 'text',
        description: 'Simulate the robots of this seed; another seed is another set of robots',
        whenAbsent: '1',
      },
      {
        name: 'heartbeat-seconds',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 3_600,
        description: 'Seconds between heartbeats, 1 to 3600',
        whenAbsent: 'as set by the profile or the service',
      },
      {
        name: 'ramp-per-second',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 10_000,
        description: 'Robots that start to connect per second; at most 100 connect at a time',
        whenAbsent: '500',
      },
      {
        name: 'duration-seconds',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 24 * 86_400, // a timer cannot be longer
        description: 'Stop after this time, at most 24 days',
        whenAbsent: 'runs until Ctrl-C',
      },
      {
        name: 'backend-url',
        type: 'text',
        value: 'url',
        description: 'Address of the service',
        whenAbsent: 'address of login',
      },
    ],
    examples: [
      'cli agent simulate --count 25 --enrollment-key svc_enroll_…',
      'cli agent simulate --count 10000 --profile busy --seed 7 --ramp-per-second 1000',
      'cli agent simulate --count 100 --profile flaky --duration-seconds 60 --json',
    ],
    operations: ['enrollAgent'],
    load: async () => (await import('../commands/agent/simulate.ts')).simulate,
  },
  {
    path: 'agent conformance',
    summary: 'Test an agent against the protocol',
    description:
      'Starts the command once per check, against a small service on this machine that sometimes misbehaves on purpose. No other service is needed. In the command, {url}, {key}, {folder} and {log} stand for the address, an enrollment key, a folder that is empty at first and kept across restarts, and a file with log lines. The environment has them as SERVICE_URL, SERVICE_ENROLLMENT_KEY, CONFORMANCE_FOLDER (also HOME) and CONFORMANCE_LOG. The log lines also arrive on stdin. Checks of features that the agent does not claim are skipped. Exits with 0 if no check failed, 1 if one failed, 2 for an invalid command line.',
    prints: 'json',
    flags: [
      {
        name: 'command',
        type: 'text',
        value: 'line',
        description: 'Shell command that runs the agent; it must stay in its process group',
        whenAbsent: 'none; required without --list',
      },
      {
        name: 'only',
        type: 'text',
        value: 'check',
        multiple: true,
        description: 'Run only this check',
        whenAbsent: 'all checks',
      },
      {
        name: 'skip',
        type: 'text',
        value: 'check',
        multiple: true,
        description: 'Skip this check',
        whenAbsent: 'none',
      },
      { name: 'list', type: 'boolean', description: 'List the checks and exit' },
      {
        name: 'junit',
        type: 'text',
        value: 'file',
        takes: 'file',
        description: 'Also write the results to this file, as JUnit XML for build servers',
        whenAbsent: 'not written',
      },
      {
        name: 'timeout',
        type: 'integer',
        value: 'seconds',
        min: 1,
        max: 600,
        description: 'Time limit for each expected action of the agent, 1 to 600 s',
        whenAbsent: '15',
      },
      {
        name: 'jobs',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 8,
        description: 'Run this many agents at a time, 1 to 8',
        whenAbsent: '4',
      },
    ],
    examples: [
      "cli agent conformance --command 'python3 agent.py {url} {folder}/identity.json'",
      "cli agent conformance --command 'cli agent run --backend-url {url} --allow-shell --log-file {log}'",
      "cli agent conformance --only shell --only cancel --command './my-agent' --json",
      "cli agent conformance --skip dead-link --skip replaced --command './my-agent' --junit report.xml",
      'cli agent conformance --list',
    ],
    load: async () => (await import('../commands/agent/conformance.ts')).conformance,
  },
];
