import { expect, test } from 'vitest';
import { normalEmail } from '../../src/kernel/emails.ts';
import { readEmail } from '../../src/people/service.ts';

test('an address that an admin types and one that a provider tells are compared in lower case, of A to Z alone', () => {
  const kelvin = '\u212aim@example.com';
  for (const read of [normalEmail, readEmail])
    expect(['Kim@EXAMPLE.com', kelvin, 'ÄNN@example.com'].map((each) => read(each))).toEqual([
      'kim@example.com',
      kelvin,
      'Änn@example.com',
    ]);
});
