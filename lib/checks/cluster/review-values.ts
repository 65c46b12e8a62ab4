import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { textIn } from '#base/select-fields';
import { type Values, valueAt } from '#base/values';
import { CNI_RESOURCE } from '#linkerd/annotations';
import { type LinkerdPart, partOfChart, releaseOfChart } from '#linkerd/releases/charts';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { type Release, releaseOf } from '#linkerd/releases/release';
import { LINKERD_CHART_FINDINGS } from '#linkerd/renderers/findings';
import { checkSecretsInValues } from '#linkerd/renderers/private-keys';
import { checkControlPlaneValues, checkVizSource, externalPrometheus } from '#linkerd/renderers/release-values';
import { scrapesProxies, valuesScrapeProxies } from '../linkerd/scrape-check';
import type { CheckedCluster, PlacedRelease } from './checked-cluster';

/** Reports values with which the mesh would not work, of charts that Argo CD inflates. */
export function reviewValues(cluster: CheckedCluster): readonly Finding[] {
  // The values in an object, such as a HelmRelease of Flux, are searched with the object.
  const searched = new Set(cluster.objects.map(({ path }) => path));
  return cluster.releases.flatMap((placed) => {
    const { path, release } = placed;
    const part = partOfChart(release.chart.name);
    return [
      ...(searched.has(path) ? [] : findingsAt(path, checkSecretsInValues(release.values))),
      ...(part === undefined ? [] : partFindings(cluster, placed, part)),
    ];
  });
}

function partFindings(
  cluster: CheckedCluster,
  { path, release }: PlacedRelease,
  part: LinkerdPart,
): readonly Finding[] {
  const { chart, values } = release;
  const lacksCni = part === 'controlPlane' && values.cniEnabled === true && !hasCni(cluster);
  return [
    ...findingsAt(path, checkPartValues(part, values, knownRelease(releaseOfChart(chart)))),
    ...(part === 'viz' ? unscraped(cluster, path, values) : []),
    ...(lacksCni
      ? findingsAt(path, [LINKERD_CHART_FINDINGS.cniMismatchAbsent({}, { about: 'values.cniEnabled' })])
      : []),
  ];
}

/**
 * Returns the problems of the values of one of Linkerd's charts that do not depend on other objects.
 *
 * @param release - undefined if unknown
 */
export function checkPartValues(part: LinkerdPart, values: Values, release: Release | undefined): readonly Problem[] {
  if (part === 'viz') return checkVizSource(values);
  return part === 'controlPlane' ? checkControlPlaneValues(values, release) : [];
}

function knownRelease(version: string | undefined): Release | undefined {
  const known = LINKERD_VERSIONS.find((one) => one === version);
  return known && releaseOf(known);
}

function unscraped(
  { objects, releases, rendered }: CheckedCluster,
  path: string,
  values: PlacedRelease['release']['values'],
): readonly Finding[] {
  const url = externalPrometheus(values);
  const charts = [...releases.map(({ release }) => release), ...rendered];
  const isScraped =
    objects.some(({ object }) => scrapesProxies(object)) ||
    charts.some((one) => valuesScrapeProxies(one.values) || valueAt(one.values, 'podMonitor.enabled') === true);
  if (url === undefined || isScraped) return [];
  return findingsAt(path, [LINKERD_CHART_FINDINGS.meshUnscrapedValues({ url })]);
}

/** Whether the CNI plugin is in the output. Also true with constructs, which check it themselves by a prop. */
function hasCni({ objects, releases, rendered, rules }: CheckedCluster): boolean {
  const charts = [...releases.map(({ release }) => release), ...rendered];
  return (
    rules.length > 0 ||
    charts.some(({ chart }) => partOfChart(chart.name) === 'cni') ||
    objects.some(
      ({ object: { kind, metadata } }) => kind === 'Namespace' && textIn(metadata.labels, CNI_RESOURCE) === 'true',
    ) ||
    objects.some(({ object: { kind, metadata } }) => kind === 'DaemonSet' && /^linkerd-cni/.test(metadata.name))
  );
}
