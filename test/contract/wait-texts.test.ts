import { expect, test } from 'vitest';
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { waitTexts } from '../../generated/wait-texts.js';

test('each code of waiting_on has a text for people, and no other has one', () => {
  const { description } = openapi.components.schemas.WaitingOn.properties.code;
  const [codes = ''] = description.split(' Open enum');
  const named = [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => code);
  expect(new Set(Object.keys(waitTexts))).toEqual(new Set(named));
});
