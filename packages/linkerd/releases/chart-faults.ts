import type { Named } from '#base/named';
import { type FaultTable, faultsOf } from '#helm/chart/chart-faults';

/** Reasons why a chart of a release is refused. */
export const RELEASE_CHART_FAULTS = {
  'version-unset': {
    reason: ({ release }: Named<'release'>) => `its version for ${release} is unknown`,
    remedy: ({ name }: Named<'name'>) => `Set chartVersions: { '${name}': '…' } of Release.fromCharts`,
  },
  'version-missing': {
    reason: ({ folder, version }: Named<'folder' | 'version'>) =>
      `the folder of charts, ${folder}, does not contain version ${version}`,
    remedy: ({ name, version, repository }: Named<'name' | 'version' | 'repository'>) =>
      `Run \`cdk8s-linkerd charts pull ${name} ${version} --repo ${repository}\``,
  },
  'release-differs': {
    reason: ({ value, release }: Named<'value' | 'release'>) => `it is ${value}, but the release is ${release}`,
    remedy: 'Name the release of the charts, or pull the charts of the release',
  },
  'profile-invalid': { reason: ({ quote }: Named<'quote'>) => quote, remedy: 'Pull the chart again' },
  'profile-no-map': { reason: 'it is not a map of values', remedy: 'Pull the chart again' },
  nameless: {
    reason: 'the object has no metadata.name, from which its file gets a name',
    remedy: "Set the values that give it a name, or leave the chart to Argo CD with delivery: 'helm'",
  },
} as const satisfies FaultTable;

/** Returns a fault of a chart of a release. */
export const releaseChartFault = faultsOf(RELEASE_CHART_FAULTS);
