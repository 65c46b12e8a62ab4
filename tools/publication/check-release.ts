import { readChangelog } from './changelog';

/** All that says which version a release is, or what is new in it. */
export interface ReleaseFacts {
  /** The tag that Git has, such as `v1.2.3`. */
  readonly tag: string;
  /** Versions by the file that says them: they must be the same. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly changelog: string;
}

/** A version of Semantic Versioning, as npm takes it: without build metadata, which registries drop. */
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

/** Finds what disagrees about a release. Nothing is published of one about which anything does. */
export function checkRelease({ tag, versions, changelog }: ReleaseFacts): readonly string[] {
  const version = tag.replace(/^v/, '');
  if (!tag.startsWith('v') || !VERSION.test(version)) return [`The tag is "${tag}", and not v with a version after it`];
  return [
    ...Object.entries(versions)
      .filter(([, said]) => said !== version)
      .map(([file, said]) => `${file} says ${said ?? 'no version'}, and the tag ${tag}`),
    ...checkChangelog(version, changelog),
  ];
}

function checkChangelog(version: string, changelog: string): readonly string[] {
  const sections = readChangelog(changelog);
  const own = sections.filter((section) => section.version === version);
  const [section] = own;
  if (section === undefined) return [`CHANGELOG.md has no section "## ${version} - <date>"`];
  const newest = sections.find(({ version: name }) => name !== 'Unreleased');
  const unreleased = sections.find(({ version: name }) => name === 'Unreleased');
  return [
    ...(own.length > 1 ? [`CHANGELOG.md has ${own.length} sections of ${version}`] : []),
    ...(section.date === undefined ? [`CHANGELOG.md does not say the day of ${version}`] : []),
    ...(section.text === '' ? [`CHANGELOG.md says nothing of ${version}`] : []),
    ...(newest === section ? [] : [`CHANGELOG.md has ${newest?.version} before ${version}`]),
    ...((unreleased?.text ?? '') === ''
      ? []
      : ['CHANGELOG.md has changes under Unreleased, which this release would have']),
  ];
}

/** The tag of npm under which a version is found: only one without a suffix is what `npm install` gets. */
export function distributionTag(version: string): 'latest' | 'next' {
  return version.includes('-') ? 'next' : 'latest';
}
