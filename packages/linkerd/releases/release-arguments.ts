import type { Problem } from '#base/findings/problem';
import { suggest } from '#base/suggest';
import { showValue } from '#base/value-path';
import { LINKERD_FINDINGS } from '../findings';
import { checkImageTag } from '../injection/text-forms';
import { CHART_OF_PART } from './charts';
import { intermediateRelease } from './intermediate-releases';
import { compareReleases, lineOf } from './lines';
import { releaseFacts } from './release-facts';

/** The description of a release from charts, apart from its version. */
export interface ReleaseArguments {
  /** Untyped code may pass null. */
  readonly chartVersions?: Readonly<Record<string, string>> | null | undefined;
  readonly proxyVersion?: string | undefined;
}

const OPTIONS = ['injectorLike', 'chartVersions', 'proxyVersion'];

/** Checks the description of a release from charts. */
export function checkReleaseArguments(version: unknown, options: ReleaseArguments): readonly Problem[] {
  const { proxyVersion } = options;
  const chartVersions = options.chartVersions ?? {};
  return [
    ...checkVersion(version, chartVersions),
    ...checkOptionNames(options),
    ...checkChartNames(chartVersions),
    ...checkProxyVersion(proxyVersion),
  ];
}

function checkOptionNames(options: ReleaseArguments): readonly Problem[] {
  return Object.keys(options)
    .filter((name) => !OPTIONS.includes(name))
    .map((option) =>
      LINKERD_FINDINGS.releaseChartsRefusedOption({
        option,
        similar: suggest(option, OPTIONS)[0],
        known: OPTIONS.join(', '),
      }),
    );
}

const EDGE = /^edge-[1-9]\d\.(?:[1-9]|1[0-2])\.[1-9]\d*$/;

const FIRST_OF_ONE_VERSION = 'edge-24.3.1';

/** Whether the name of a release determines the versions of its charts. */
export function determinesCharts(release: string): boolean {
  if (releaseFacts(release) !== undefined || intermediateRelease(release) !== undefined) return true;
  return EDGE.test(release) && compareReleases(FIRST_OF_ONE_VERSION, release) <= 0;
}

const NEEDED = ['linkerd-crds', 'linkerd-control-plane'];

function checkVersion(version: unknown, given: Readonly<Record<string, string>>): readonly Problem[] {
  if (typeof version !== 'string' || lineOf(version) === undefined) {
    return [LINKERD_FINDINGS.releaseChartsRefusedName({ version: showValue(version) })];
  }
  if (determinesCharts(version)) return [];
  const missing = NEEDED.filter((chart) => given[chart] === undefined);
  if (missing.length === 0) return [];
  return [LINKERD_FINDINGS.releaseChartsRefusedVersions({ version, missing: missing.join(' and ') })];
}

function checkChartNames(given: Readonly<Record<string, string>>): readonly Problem[] {
  const known = Object.values(CHART_OF_PART);
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((chart) => LINKERD_FINDINGS.releaseChartsRefusedChart({ chart, known: known.join(', ') }));
}

function checkProxyVersion(version: unknown): readonly Problem[] {
  if (version === undefined) return [];
  if (typeof version === 'string') return checkImageTag('proxyVersion', version);
  return [LINKERD_FINDINGS.releaseChartsRefusedProxyVersion({ value: showValue(version) })];
}
