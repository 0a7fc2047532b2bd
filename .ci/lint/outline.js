import { report } from './report.js';

export const outlineRules = {
  'tags-in-groups': () => ({
    Root(root, context) {
      const tags = (root.tags ?? []).map(({ name }) => name);
      const grouped = (root['x-tagGroups'] ?? []).flatMap((group) => group.tags);
      for (const [index, name] of tags.entries())
        if (!grouped.includes(name))
          report(
            context,
            `the tag ${name} is in no group of x-tagGroups. The reference shows groups only, so its operations could not be found there: put it into the one whose readers look for it`,
            ['tags', index],
          );
      for (const name of grouped.filter((each, index) => !tags.includes(each) || grouped.indexOf(each) !== index))
        report(context, `x-tagGroups names ${name}, which is no tag or stands there twice: each tag is in one group`, [
          'x-tagGroups',
        ]);
    },
  }),

  'tags-in-order': () => ({
    Root(root, context) {
      const tags = (root.tags ?? []).map(({ name }) => name);
      // A tag that is nowhere or twice is for the rule above.
      const all = (root['x-tagGroups'] ?? []).flatMap((group) => group.tags);
      const grouped = [...new Set(all)].filter((name) => tags.includes(name));
      const index = grouped.findIndex((name, place) => tags[place] !== name);
      if (index >= 0)
        report(
          context,
          `tags and x-tagGroups have another order: ${grouped[index]} comes before ${tags[index]} in the groups. Some tools read the one, some the other, and both tell the life of a robot: list the tags as the groups do`,
          ['tags', index],
        );
    },
  }),
};
