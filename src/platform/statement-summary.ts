interface Summary {
  operation: string; // SELECT, INSERT, BEGIN
  summary: string; // with the table, INSERT deployments
}

/** Statements are texts of the code, so there are few. Some are put together, and rarely come again. */
const maxTexts = 2_000;

/** Describes statements without anything of their values, by kind and first table. */
export function summarizer(): (text: string) => Summary {
  const known = new Map<string, Summary>();
  return (text) => {
    let found = known.get(text);
    if (!found) {
      if (known.size >= maxTexts) known.clear();
      known.set(text, (found = summarize(text)));
    }
    return found;
  };
}

/** What is read may also be the result of a function. */
const firstTable = /\b(?:(?:into|update)\s+"?([a-z_]+)|(?:from|join)\s+"?([a-z_]+)\b"?(?!\s*\())/;

function summarize(text: string): Summary {
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'OTHER';
  const [, changed, read] = firstTable.exec(text) ?? [];
  const table = changed ?? read;
  const hasTable = table !== undefined && ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH'].includes(operation);
  return { operation, summary: hasTable ? `${operation} ${table}` : operation };
}
