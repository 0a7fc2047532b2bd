import { report } from './report.js';

/** What OpenAPI 3.0 does not have, or spells otherwise, and what is written in its place. */
const unknownIn30 = {
  const: 'an enum of one value',
  $defs: 'a schema under components',
  unevaluatedProperties: 'additionalProperties: false in each schema',
  patternProperties: 'additionalProperties, with propertyNames beside it',
  prefixItems: 'an object with named properties',
  if: 'two schemas with names of their own',
  then: 'two schemas with names of their own',
  else: 'two schemas with names of their own',
  nullable: 'a property that is absent where there is nothing to say',
  discriminator: 'a property with an enum of one value in each variant',
};

/** The greatest number that generators of Java, C# and Swift can keep where a document tells no format: they make 32 bits of it. */
const most32Bits = 2 ** 31 - 1;

export const subsetRules = {
  'subset-no-null': () => ({
    Schema(schema, context) {
      if (Array.isArray(schema.type) || schema.type === 'null' || schema.enum?.includes(null))
        report(
          context,
          'a value is of several types, or null. OpenAPI 3.0 cannot say it and half of the generators read it wrongly: give it one type, and leave the property out where there is nothing to say',
          ['type'],
        );
    },
  }),

  'subset-keywords': () => ({
    Schema(schema, context) {
      for (const [keyword, instead] of Object.entries(unknownIn30))
        if (keyword in schema)
          report(
            context,
            `${keyword} is not in OpenAPI 3.0 as it is in 3.1, so /openapi-3.0.json would say something else than what the server checks: write ${instead}`,
            [keyword],
          );
      for (const keyword of ['exclusiveMinimum', 'exclusiveMaximum'])
        if (schema[keyword] !== undefined)
          report(
            context,
            `${keyword} is a number in 3.1 and a flag in 3.0: write minimum or maximum with the next value that is allowed`,
            [keyword],
          );
    },
  }),

  'integers-tell-their-width': () => ({
    Schema({ type, format, maximum = Infinity }, context) {
      if (type === 'integer' && format === undefined && maximum > most32Bits)
        report(
          context,
          'an integer that may grow has no format. Generators of Java and C# make 32 bits of it, which the size of a file overflows: write format: int64, or int32 for what can never reach two thousand million',
          ['type'],
        );
    },
  }),

  'subset-references-stand-alone': () => ({
    // Seen before they are followed: afterwards what stands beside them is gone.
    ref(reference, context) {
      const [, sibling] = Object.keys(reference);
      if (sibling !== undefined)
        report(
          context,
          `${sibling} stands beside a $ref. 3.0 ignores it, 3.1 obeys it, so two clients would differ: put it into what is referred to`,
          [sibling],
        );
    },
  }),
};
