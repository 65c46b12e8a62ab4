import type { Values } from '#base/values';
import type { ChangedDefault, GoneValue } from '#linkerd/releases/changed-values';
import { CHART_OF_PART, chartVersions, LINKERD_PARTS, type LinkerdPart } from '#linkerd/releases/charts';
import { type DefinitionChange, definitionChanges, storageVersion } from '#linkerd/releases/definition-changes';
import { definitionsOf } from '#linkerd/releases/definitions';
import { intermediateRelease } from '#linkerd/releases/intermediate-releases';
import { compareReleases, edgeOfLine, lineOf } from '#linkerd/releases/lines';
import { nearestFacts, releaseFacts } from '#linkerd/releases/release-facts';
import { controlPlaneMove, isLower, isMove, type ReleaseMove, skippedLines } from '#linkerd/releases/release-moves';

/** The changes of an intermediate release, for one cluster. */
export interface LineStep {
  /** The minor version of the release. */
  readonly line: string;
  readonly release: string;
  /** Sentences about what to set and what changes. */
  readonly what: readonly string[];
}

/** The changes of a cluster's whole move, which the plan lists at the intermediate releases. */
export interface LineFacts {
  readonly moves: readonly ReleaseMove[];
  readonly lostValues: readonly GoneValue[];
  readonly changedDefaults: readonly ChangedDefault[];
  /** The values of linkerd-crds before the move. */
  readonly crds: Values;
}

/**
 * Returns a step for each skipped minor version that has an edge release, in order. A move to an older release goes
 * back at most one minor version, and skips none.
 */
export function lineSteps(facts: LineFacts): readonly LineStep[] {
  const move = controlPlaneMove(facts.moves);
  if (move === undefined || isLower(move)) return [];
  const releases = skippedLines(move).flatMap((line) => edgeOfLine(line) ?? []);
  return releases.map((release, index) => lineStep({ from: releases[index - 1] ?? move.from, release }, facts));
}

interface Hop {
  readonly from: string;
  readonly release: string;
}

function lineStep(hop: Hop, { moves, lostValues, changedDefaults, crds }: LineFacts): LineStep {
  const { release } = hop;
  const parts = moves.filter(isMove).map(({ part }) => part);
  const isNow = ({ since }: { readonly since: string }) =>
    compareReleases(hop.from, since) < 0 && compareReleases(since, release) <= 0;
  return {
    line: lineOf(release) ?? '',
    release,
    what: [
      howToSet(release, parts),
      ...kubernetesOf(hop),
      ...definitionChanges(definitionsOf(hop.from, crds), definitionsOf(release, crds)).map(definitionText),
      ...lostValues.filter(isNow).map(lostText),
      ...changedDefaults.filter(isNow).map(defaultText),
      ...(intermediateRelease(release)?.notes ?? [])
        .filter(({ chart }) => parts.includes(chart))
        .map(({ chart, note }) => `${CHART_OF_PART[chart]}: ${note}`),
      ...annotationText(release),
    ],
  };
}

/** The parts that every release rendered from charts needs. */
const NEEDED: readonly LinkerdPart[] = ['crds', 'controlPlane'];

/** The library contains some releases, which are set by name. Others are rendered from their charts. */
function howToSet(release: string, parts: readonly LinkerdPart[]): string {
  if (releaseFacts(release) !== undefined) return `Set version to ${release}.`;
  const { repository, ...versions } = chartVersions(release);
  const charts = LINKERD_PARTS.filter((part) => NEEDED.includes(part) || parts.includes(part)).map(
    (part) => `${CHART_OF_PART[part]} ${versions[part]}`,
  );
  return `Pull ${charts.join(', ')} from ${repository} (cdk8s-linkerd charts pull), and set version to Release.fromCharts(ChartFolder.at('charts'), '${release}').`;
}

function kubernetesOf({ from, release }: Hop): readonly string[] {
  const [old, next] = [from, release].map(oldestKubernetes);
  return next === undefined || next === old ? [] : [`The cluster must run Kubernetes ${next} or newer.`];
}

/**
 * Returns the oldest minor version of Kubernetes that the charts of a release allow. For an unknown release, returns
 * the version for the nearest older release.
 */
export function oldestKubernetes(release: string): string | undefined {
  return intermediateRelease(release)?.kubernetes ?? nearestFacts(release)?.crds.templates.kubernetes;
}

function definitionText({ name, before, after, added, unserved, stored }: DefinitionChange): string {
  if (before === undefined) return `${name} is new.`;
  if (after === undefined) return `${name} is no longer installed with Linkerd, and stays in the cluster.`;
  const [old, next] = [storageVersion(before), storageVersion(after)];
  const changes = [
    ...(added.length === 0 ? [] : [`adds ${added.join(', ')}`]),
    ...(unserved.length === 0 ? [] : [`no longer serves ${unserved.join(', ')}`]),
    ...(old === next ? [] : [`stores ${next} instead of ${old}`]),
    ...(stored.length === 0 ? [] : [`loses ${stored.join(', ')}, in which objects are stored: migrate them first`]),
  ];
  return `${name} ${changes.join(', ')}.`;
}

function lostText({ chart, path, renamedTo }: GoneValue): string {
  const instead = renamedTo === undefined ? 'it has no replacement' : `use ${renamedTo} instead`;
  return `${path} of ${CHART_OF_PART[chart]} is removed: ${instead}.`;
}

function defaultText({ chart, path, before, after, note }: ChangedDefault): string {
  return `The default of ${path} of ${CHART_OF_PART[chart]} changes from ${before} to ${after}. ${note}`;
}

function annotationText(release: string): readonly string[] {
  const annotations = intermediateRelease(release)?.annotations ?? [];
  return annotations.length === 0 ? [] : [`The injector of this release also reads ${annotations.join(', ')}.`];
}
