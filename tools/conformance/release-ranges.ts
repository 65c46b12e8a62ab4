/** Returns releases as ranges within all releases, such as `a to b and d`; `all` if none is missing. */
export function releaseRanges(some: readonly string[], all: readonly string[]): string {
  if (all.every((release) => some.includes(release))) return 'all';
  const oldestFirst = all.toReversed();
  const ranges: (readonly [first: string, last: string])[] = [];
  for (const [index, release] of oldestFirst.entries()) {
    if (!some.includes(release)) continue;
    const before = ranges.at(-1);
    if (before !== undefined && before[1] === oldestFirst[index - 1]) ranges.splice(-1, 1, [before[0], release]);
    else ranges.push([release, release]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(' and ');
}
