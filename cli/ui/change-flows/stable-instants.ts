/**
 * The instants of one form, by the text that was typed: `in 30m` is the same one each time the form is submitted, until it has
 * passed. Else the same request would be sent with another time, and deployed twice.
 */
export function stableInstants(): (text: string, at: Date) => Date {
  const instants = new Map<string, Date>();
  return (text, at) => {
    const before = instants.get(text);
    const instant = before && before > new Date() ? before : at;
    instants.set(text, instant);
    return instant;
  };
}
