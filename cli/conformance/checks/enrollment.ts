import { setTimeout as pause } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { assertRule } from '../rule.ts';

const retryAfterSeconds = 3;
/** For the clocks of two processes, and a timer that fires early. */
const toleranceMs = 100;
const quietMs = 5_000;

export const enrollmentChecks: readonly Check[] = [
  {
    name: 'enroll',
    rule: 'It enrolls with the key as bearer and a nonce, and opens its link with the token that it was given',
    async run({ service, linked }) {
      await linked();
      const [first] = service.enrollments;
      assertRule(first?.authorization === `Bearer ${service.key}`, 'POST /agent/enroll did not show the key as bearer');
      assertRule(
        (first.nonce ?? '') !== '',
        'POST /agent/enroll had no nonce: after a lost answer a second robot would be made',
      );
      assertRule(service.enrollments.length === 1, `it enrolled ${service.enrollments.length} times`);
    },
  },
  {
    name: 'enroll-again',
    rule: 'When the response to its enrollment is lost, it retries with the same nonce',
    async run({ service, start, until, linkAfter, subject }) {
      service.onEnroll = () => (service.enrollments.length === 1 ? 'lost' : undefined);
      start();
      await until(() => service.enrollments.length > 0, 'it did not enroll');
      // An agent may leave retries to its supervisor.
      await until(() => service.enrollments.length > 1 || subject().ended(), 'it neither asked again nor ended');
      if (service.enrollments.length === 1) start();
      await linkAfter(0);
      const [first, second] = service.enrollments.map(({ nonce }) => nonce);
      assertRule(first !== undefined && first === second, `first it said the nonce ${first}, then ${second}`);
    },
  },
  {
    name: 'enroll-wait',
    rule: 'An enrollment that is refused with 429 is not retried before its Retry-After',
    async run({ service, start, until, subject }) {
      service.onEnroll = () =>
        service.enrollments.length === 1
          ? { status: 429, headers: { 'Retry-After': String(retryAfterSeconds) } }
          : undefined;
      start();
      await until(() => service.enrollments.length > 1 || subject().ended(), 'it neither asked again nor ended');
      const [first, second] = service.enrollments;
      const waited = second && first ? second.at - first.at : Infinity;
      assertRule(
        waited >= retryAfterSeconds * 1000 - toleranceMs,
        `it asked again after ${Math.round(waited)} ms; Retry-After said ${retryAfterSeconds} s`,
      );
    },
  },
  {
    name: 'enroll-refused',
    rule: 'An enrollment key that is refused with 401 is not retried',
    async run({ service, start, until }) {
      service.onEnroll = () => ({ status: 401 });
      start();
      await until(() => service.enrollments.length > 0, 'it did not enroll');
      await pause(quietMs);
      assertRule(service.enrollments.length === 1, `it tried the key ${service.enrollments.length} times`);
    },
  },
  {
    name: 'identity',
    rule: 'It enrolls on its first run alone: when it is started again it is the same robot',
    async run({ service, linked, start, subject, linkAfter }) {
      await linked();
      await subject().end();
      start();
      await linkAfter(1);
      assertRule(service.enrollments.length === 1, 'started again, it enrolled again');
    },
  },
];
