import { readChangelog } from './changelog';

/** The tag, the versions in files, and the changelog of a release. */
export interface ReleaseFacts {
  /** The tag in Git, such as `v1.2.3`. */
  readonly tag: string;
  /** Versions by the file that contains them. All must be equal. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly changelog: string;
}

/** A version of Semantic Versioning without build metadata, which registries drop. */
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

/** Returns the contradictions in a release. A release with contradictions is not published. */
export function checkRelease({ tag, versions, changelog }: ReleaseFacts): readonly string[] {
  const version = tag.replace(/^v/, '');
  if (!tag.startsWith('v') || !VERSION.test(version)) return [`The tag "${tag}" is not v followed by a version`];
  return [
    ...Object.entries(versions)
      .filter(([, said]) => said !== version)
      .map(([file, said]) => `${file} has ${said ?? 'no version'}, but the tag is ${tag}`),
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
    ...(section.date === undefined ? [`CHANGELOG.md has no date for ${version}`] : []),
    ...(section.text === '' ? [`CHANGELOG.md has no text for ${version}`] : []),
    ...(newest === section ? [] : [`CHANGELOG.md lists ${newest?.version} above ${version}`]),
    ...((unreleased?.text ?? '') === ''
      ? []
      : ['CHANGELOG.md has changes under Unreleased, which belong to this release']),
  ];
}

/** The npm tag of a version: `npm install` installs `latest`, so versions with a suffix get another tag. */
export function distributionTag(version: string): 'latest' | 'next' {
  return version.includes('-') ? 'next' : 'latest';
}
