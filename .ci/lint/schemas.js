import { report } from './report.js';
import { inner, inReplies, inRequests } from './walk.js';

export const schemaRules = {
  'bodies-are-named': () => ({
    MediaType(media, context) {
      const isFile = !/json/.test(String(context.key));
      if (media.schema && media.schema.$ref === undefined && !isFile)
        report(
          context,
          'the body is written out here. Generators would call its type InlineResponse200 or worse, and rename it when something is added before it: move the schema to spec/schemas/ and refer to it',
          ['schema'],
        );
    },
  }),

  'parts-are-named': () => ({
    Schema(schema, context) {
      for (const [path, child] of inner(schema)) {
        const what = child.properties ? 'object' : child.enum ? 'enumeration' : undefined;
        if (what !== undefined && child.$ref === undefined)
          report(
            context,
            `an ${what} is written out inside another schema. Each generator makes up a name of its own for it, and two places that mean the same get two types: give it a name in spec/schemas/ and refer to it`,
            path,
          );
      }
    },
  }),

  'requests-are-closed': inRequests((schema, say) => {
    if (schema.properties && schema.additionalProperties !== false)
      say(
        'a request takes fields that it does not name. Who misspells an optional field would never learn of it: write additionalProperties: false',
        [],
      );
  }),

  'replies-are-open': inReplies((schema, say) => {
    if (schema.properties && schema.additionalProperties === false)
      say(
        'a reply is closed. A client made from this version would refuse the next field that we add: leave additionalProperties out',
        ['additionalProperties'],
      );
  }),

  'replies-have-open-values': inReplies((schema, say) => {
    if (schema.enum)
      say(
        'a reply lists its values as an enum. Clients in Go, Java and Python throw at a value that comes later: write a string, and the known values in its description with "Open enum: expect new values."',
        ['enum'],
      );
  }),

  'pattern-in-words': () => ({
    Schema(schema, context) {
      if (schema.pattern !== undefined && schema['x-message'] === undefined)
        report(
          context,
          'a pattern has no words. Nobody who typed a name reads a regular expression: write beside it, as x-message, what the text must be',
          ['pattern'],
        );
    },
  }),
};
