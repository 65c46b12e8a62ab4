import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';

const NOT_SERVED =
  'The API server does not know the kind at that version: the sync of its folder fails until the object is removed';

/** Findings about releases of Linkerd, and about its objects, ports and chart versions. */
export const LINKERD_FINDINGS = catalogue({
  'object-unchecked': {
    severity: 'error',
    what: ({ subject, exception }: { subject: string; exception: string }) =>
      `Checking ${subject} failed: ${exception}`,
    why: 'It is unknown whether the API server accepts it',
    fix: 'write the object as the API of its kind describes',
  },
  'version-not-served': {
    severity: 'error',
    what: ({ object, apiVersion, release, served }: Record<'object' | 'apiVersion' | 'release' | 'served', string>) =>
      `${object} has apiVersion ${apiVersion}, but the CRDs of ${release} serve ${served}`,
    why: NOT_SERVED,
    fix: ({ proposed }: { proposed: string }) => `write apiVersion: ${proposed}`,
  },
  'version-not-served/kind': {
    severity: 'error',
    what: ({ object, release, kind }: Record<'object' | 'release' | 'kind', string>) =>
      `${object}: ${release} has no CRD of ${kind}`,
    why: NOT_SERVED,
    fix: 'remove it, or move to a later release of Linkerd',
  },
  'version-unknown': {
    severity: 'error',
    what: ({ product, version }: { product: string; version: string }) =>
      `The version of ${product} is ${version}, which is not a known version`,
    why: 'The library has the charts and values of known releases only',
    fix: ({ known }: { known: string }) => `use ${known}`,
  },
  'version-unknown/linkerd': {
    severity: 'error',
    what: ({ version }: { version: string }) => `The version of Linkerd is ${version}, which is not a known release`,
    why: 'The library has the charts and values of known releases only',
    fix: ({ version, similar }: { version: string; similar: string }) =>
      `write '${similar}', or another release that docs/releases.md lists; if ${version} is a release of Linkerd, render it from its own charts: Release.fromCharts`,
  },
  'version-unknown/copy': {
    severity: 'error',
    what: ({ version }: { version: string }) =>
      `The version of Linkerd is a copy of ${version}, or a release of another installation of cdk8s-linkerd`,
    why: 'It was not validated here, and its charts may differ from the ones that this installation knows',
    fix: 'pass the object that Release.fromCharts returned, or the name of a release; and install cdk8s-linkerd once',
  },
  'release-charts-refused/name': {
    severity: 'error',
    what: ({ version }: { version: string }) => `Release.fromCharts was given the release ${version}`,
    why: 'The tags of images, and the versions of charts, are derived from its name: none of them would exist',
    fix: "write it as Linkerd does: 'edge-26.9.1'",
  },
  'release-charts-refused/versions': {
    severity: 'error',
    what: ({ version, missing }: { version: string; missing: string }) =>
      `Release.fromCharts was given ${version}, but no version of ${missing}`,
    why: 'Only the names of edge releases since edge-24.3.1 determine the versions of their charts',
    fix: "set chartVersions: { 'linkerd-crds': '1.8.0', 'linkerd-control-plane': '1.16.11' }",
  },
  'release-charts-refused/chart': {
    severity: 'error',
    what: ({ chart }: { chart: string }) => `chartVersions names the chart ${chart}`,
    why: 'A release has no such chart, so the version would have no effect',
    fix: ({ known }: { known: string }) => `name one of ${known}`,
  },
  'release-charts-refused/option': {
    severity: 'error',
    what: ({ option, similar }: { option: string; similar?: string | undefined }) =>
      `Release.fromCharts was given the option ${option}${didYouMean(similar)}`,
    why: 'It has no such option, which would have no effect',
    fix: ({ known }: { known: string }) => `set only ${known}`,
  },
  'release-charts-refused/proxy-version': {
    severity: 'error',
    what: ({ value }: { value: string }) => `proxyVersion is ${value}, not a string`,
    why: 'The image of the proxy would not exist',
    fix: "write it as a string: 'edge-26.9.1'",
  },
  'port-refused/range': {
    severity: 'error',
    what: ({ field, text }: { field: string; text: string }) =>
      `${field} is "${text}", neither a port nor a range of ports`,
    why: 'Linkerd reads a range as two port numbers with a hyphen between them, the smaller one first, and ignores any other text',
    fix: ({ example }: { example: string }) => `write it as "${example}"`,
  },
});
