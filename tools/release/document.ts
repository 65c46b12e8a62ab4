import { ALIASES, RELEASES } from '#linkerd/releases/known-releases';
import { type Release, releaseOf } from '#linkerd/releases/release';
import { GROUP_COLUMNS, groupOf } from '../conformance/releases';

interface KnownRelease {
  readonly version: string;
  readonly date: string;
  readonly alias?: string | undefined;
  readonly release: Release;
}

const KNOWN: readonly KnownRelease[] = RELEASES.map(([version, date]) => ({
  version,
  date,
  alias: Object.entries(ALIASES).find(([, announced]) => announced === version)?.[0],
  release: releaseOf(version),
}));

const INTRODUCTION = `# Releases of Linkerd

Every value of \`version\`, newest first. \`npm run docs\` generates this page from \`packages/linkerd/releases/\`.

A **line** is a minor version of Linkerd: for an edge release, the latest minor version that was announced by then.
Releases of one **group** have charts whose sources are equal except for the version. A group is named after one of
its releases. Renderers implement the differences between groups, and test/conformance has fingerprints of the renders
of each group. **Kubernetes** is the minimum version that the charts require; this library requires 1.30.
`;

/** The document of all releases. */
export function releasesDocument(): string {
  const charts = Object.keys(GROUP_COLUMNS);
  return [
    INTRODUCTION,
    row(['release', 'date', 'line', 'charts', ...charts.map((chart) => `group of ${chart}`), 'Kubernetes']),
    row(Array.from({ length: charts.length + 5 }, () => '---')),
    ...KNOWN.map(({ version, date, alias, release }) =>
      row([
        alias === undefined ? version : `${version} (\`'${alias}'\`)`,
        date,
        release.line,
        chartVersions(release),
        ...charts.map((chart) => groupOf(chart, version)),
        kubernetesOf(release),
      ]),
    ),
    '',
  ].join('\n');
}

function kubernetesOf({ groups }: Release): string {
  return groups.crds.templates.kubernetes;
}

function chartVersions({ charts }: Release): string {
  const all = Object.values(charts).map(({ name, version }) => ({ name, version }));
  const [first] = all;
  if (first !== undefined && all.every(({ version }) => version === first.version)) return first.version;
  return all.map(({ name, version }) => `${name} ${version}`).join(', ');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
