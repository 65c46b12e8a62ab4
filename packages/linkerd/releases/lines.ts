/**
 * The minor versions of Linkerd, each with the corresponding edge release: https://linkerd.io/releases/ and the tags
 * `version-2.NN` of linkerd2. Stable artifacts of the open source project end with 2.14.
 */
const LINES = [
  { line: '2.15', since: 'edge-24.2.4' },
  { line: '2.16', since: 'edge-24.8.2' },
  { line: '2.17', since: 'edge-24.11.8' },
  { line: '2.18', since: 'edge-25.4.4' },
  { line: '2.19', since: 'edge-25.10.7' },
  { line: '2.20', since: 'edge-26.6.3' },
] as const;

/** Returns the minor version of a release; undefined if the name is not that of a release. */
export function lineOf(release: string): string | undefined {
  const [, stable] = /^stable-(2\.\d+)(?:\.|$)/.exec(release) ?? [];
  if (stable !== undefined) return stable;
  if (edgeNumbers(release) === undefined) return undefined;
  // Edge releases before the first one in LINES led up to 2.15, and contain parts of it.
  return LINES.findLast(({ since }) => compareReleases(since, release) <= 0)?.line ?? '2.14';
}

/**
 * Returns the minor versions between those of two releases, exclusive: 2.15 to 2.18 between 2.14 and 2.19. Empty if a
 * release has none.
 */
export function linesBetween(one: string, other: string): readonly string[] {
  const [first, second] = [lineOf(one), lineOf(other)];
  if (first === undefined || second === undefined) return [];
  const [from = 0, to = 0] = [numberOf(first), numberOf(second)].sort((a, b) => a - b);
  return Array.from({ length: Math.max(0, to - from - 1) }, (_, index) => `2.${from + 1 + index}`);
}

/**
 * Returns the edge release that installs a minor version; undefined if the version has stable releases, or is unknown.
 */
export function edgeOfLine(line: string): string | undefined {
  return LINES.find((known) => known.line === line)?.since;
}

/** Compares two releases by age: negative if the first is older. Stable ones are older than all edges since 2.15. */
export function compareReleases(one: string, other: string): number {
  const [a, b] = [ageOf(one), ageOf(other)];
  const place = a.findIndex((number, index) => number !== b[index]);
  return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

/**
 * Returns numbers that grow with a release: year, month and number of an edge; zeros and three numbers of a stable one.
 */
function ageOf(release: string): readonly number[] {
  const edge = edgeNumbers(release);
  if (edge !== undefined) return [...edge, 0, 0, 0];
  const [, ...stable] = /^stable-(\d+)\.(\d+)(?:\.(\d+))?/.exec(release) ?? [];
  return [0, 0, 0, ...stable.map((number) => Number(number ?? 0))];
}

function edgeNumbers(release: string): readonly [number, number, number] | undefined {
  const [, year, month, number] = /^edge-(\d+)\.(\d+)\.(\d+)$/.exec(release) ?? [];
  return number === undefined ? undefined : [Number(year), Number(month), Number(number)];
}

function numberOf(line: string): number {
  return Number(line.slice('2.'.length));
}
