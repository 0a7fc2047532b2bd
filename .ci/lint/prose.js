import { report } from './report.js';
import { inRequests } from './walk.js';

/** Begins as a sentence does (a name in code may), and ends like one; what ends with a table or a listing has ended before. */
const isSentence = (text) => /^[A-Z0-9`"'/]/.test(text) && /([.!?)]|\n(\||```).*)$/s.test(text.trim());

const plain = (text) =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

const units =
  /(^|_)(seconds|minutes|hours|days|ms|hz|fps|bytes|percent|count|total|celsius|volts|volt|mhz|watts|cores|seq|revision|status|code|port|uses|records|width|height)($|_)|^(from|to|next|first|last)_seq$/;
const unitWords =
  /\b(milliseconds?|seconds?|minutes?|hours?|days?|bytes?|[KMG]iB|percent|0 to 100|0 to 1|degrees|volts?|per second|how many|number|at most|seq|size|calls?|records|robots|deployments|load)\b/i;
const isNumber = ({ type }) => type === 'integer' || type === 'number';

/** A number nobody can misread: its name or its description says what it counts. */
const lacksUnit = (name, schema, description = '') =>
  isNumber(schema) && !units.test(name.toLowerCase()) && !unitWords.test(description);

const digits = /\d/;
/** Whether a bound says more than that a number is none below 0, or fits into a double. */
const isBound = (value) => value !== undefined && value !== 0 && value !== Number.MAX_SAFE_INTEGER;

const hidesLimits = (schema, description) =>
  isNumber(schema) && (isBound(schema.minimum) || isBound(schema.maximum)) && !digits.test(description);

const spoken = (name, context, text) => {
  if (!isSentence(text))
    report(
      context,
      `the description of ${name} is not a sentence. It is all that a reader in the reference has: begin with a capital, end with a full stop, and put values into backticks`,
      ['description'],
    );
};

const told = (kind) => (node, context) => {
  if (typeof node.description === 'string') spoken(kind, context, node.description);
};

export const proseRules = {
  'descriptions-are-sentences': () => ({
    Operation: told('the operation'),
    Parameter: told('the parameter'),
    Response: told('the response'),
    Header: told('the header'),
    Schema: told('the schema'),
    Tag: told('the tag'),
    SecurityScheme: told('the scheme'),
  }),

  'schemas-are-described': () => ({
    NamedSchemas: {
      Schema(schema, context) {
        for (const [name, child] of Object.entries(schema.properties ?? {}))
          if (child.$ref === undefined && child.description === undefined)
            report(
              context,
              `${name} has no description. Its name tells half: write what it means, in which unit, and when it is absent`,
              ['properties', name],
            );
      },
    },
  }),

  'descriptions-add-something': () => ({
    Operation(operation, context) {
      const [summary, description] = [plain(operation.summary), plain(operation.description)];
      if (description === summary || description === `${summary}s`)
        report(
          context,
          'the description is the summary again. Say what a caller cannot guess: the order of a list, what happens to what exists, what it costs',
          ['description'],
        );
    },
  }),

  'summaries-are-titles': () => ({
    Operation({ summary }, context) {
      if (summary !== undefined && (!/^[A-Z]/.test(summary) || /[.:]$/.test(summary) || summary.length > 60))
        report(
          context,
          'the summary is no title. It stands in menus and in comments of generated code: a capital, at most 60 characters, no full stop',
          ['summary'],
        );
    },
  }),

  'numbers-have-units': () => ({
    Parameter({ name, schema = {}, description }, context) {
      if (lacksUnit(name, schema, description)) report(context, unitMissing(name), ['description']);
    },
    Schema(schema, context) {
      for (const [name, child] of Object.entries(schema.properties ?? {}))
        if (lacksUnit(name, child, child.description)) report(context, unitMissing(name), ['properties', name]);
    },
  }),

  'limits-are-told': () => ({
    Parameter({ name, schema = {}, description = '' }, context) {
      if (hidesLimits(schema, description)) report(context, limitsMissing(name), ['description']);
    },
    ...inRequests((schema, say) => {
      for (const [name, child] of Object.entries(schema.properties ?? {}))
        if (hidesLimits(child, child.description)) say(limitsMissing(name), ['properties', name]);
    })(),
  }),

  'defaults-are-told': () => ({
    Schema(schema, context) {
      if (schema.default !== undefined && !String(schema.description).includes(String(schema.default)))
        report(
          context,
          `the description does not name the default of ${context.key}, ${String(schema.default)}. Readers of generated code see the description alone: say what holds when it is left out`,
          ['default'],
        );
    },
  }),
};

const unitMissing = (name) =>
  `nothing says what ${name} counts, or in which unit. A client that takes seconds for milliseconds waits a thousand times too long: end its name in the unit, or name the unit in its description`;
const limitsMissing = (name) =>
  `the description of ${name} does not tell its limits. A person filling in a form meets them as a refusal: write from which number to which`;
