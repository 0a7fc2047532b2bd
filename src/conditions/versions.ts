/**
 * Compares versions by the order of Semantic Versioning, as far as they have its form. What stands before the last
 * slash is a program's name and is ignored, as is a leading `v`: `fleet-agent/0.9.0` is less than `v0.10`.
 */
export function compareVersions(one: string, other: string): number {
  const [[mine, myPre], [theirs, theirPre]] = [partsOf(one), partsOf(other)];
  return (
    compareParts(mine, theirs) ||
    Number(theirPre.length > 0) - Number(myPre.length > 0) ||
    compareParts(myPre, theirPre)
  );
}

/** The numbers and the pre-release identifiers. */
function partsOf(text: string): [string[], string[]] {
  const [version = ''] = text
    .slice(text.lastIndexOf('/') + 1)
    .replace(/^v/, '')
    .split('+');
  const dash = version.indexOf('-');
  const split = (part: string) => (part === '' ? [] : part.split('.'));
  return dash < 0 ? [split(version), []] : [split(version.slice(0, dash)), split(version.slice(dash + 1))];
}

function compareParts(one: string[], other: string[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [mine = '0', theirs = '0'] = [one[index], other[index]];
    const [myNumber, theirNumber] = [Number(mine), Number(theirs)];
    const areNumbers = !Number.isNaN(myNumber) && !Number.isNaN(theirNumber);
    const order = areNumbers ? myNumber - theirNumber : mine < theirs ? -1 : mine > theirs ? 1 : 0;
    if (order !== 0) return order;
  }
  return 0;
}
