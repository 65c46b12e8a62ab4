import { checkImageTag } from '../../../operator/api/injection/text-forms';
import type { Problem } from '../../kubernetes/findings/problem';
import { showValue } from '../../kubernetes/value-path';
import { LINKERD_FINDINGS } from '../findings';
import { CHART_OF_PART } from './charts';
import { lineOf } from './lines';
import { releaseFacts } from './release-facts';

/** What a release from charts is described by, besides its version. */
export interface ReleaseArguments {
  readonly chartVersions?: Readonly<Record<string, string>> | undefined;
  readonly proxyVersion?: string | undefined;
}

/** Checks what a release from charts is described by. */
export function checkReleaseArguments(
  version: unknown,
  { chartVersions = {}, proxyVersion }: ReleaseArguments,
): readonly Problem[] {
  return [
    ...checkVersion(version, chartVersions),
    ...checkChartNames(chartVersions),
    ...checkProxyVersion(proxyVersion),
  ];
}

/** The names of edge releases, which determine the versions of their charts. */
const EDGE = /^edge-[1-9]\d\.(?:[1-9]|1[0-2])\.[1-9]\d*$/;

/** Whether a name is that of an edge release. */
export function isEdgeRelease(version: string): boolean {
  return EDGE.test(version);
}

/** The charts of which a release without rules for its versions must say them. */
const NEEDED = ['linkerd-crds', 'linkerd-control-plane'];

function checkVersion(version: unknown, given: Readonly<Record<string, string>>): readonly Problem[] {
  if (typeof version !== 'string' || lineOf(version) === undefined) {
    return [LINKERD_FINDINGS.releaseChartsRefusedName({ version: showValue(version) })];
  }
  if (EDGE.test(version) || releaseFacts(version) !== undefined) return [];
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
