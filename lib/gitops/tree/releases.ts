import type { IConstruct } from 'constructs';
import type { Values } from '../../kubernetes/values';
import type { PinnedChart } from '../../linkerd/releases/pinned-chart';

const RELEASE = 'cdk8s-linkerd:release';
const RENDERED = 'cdk8s-linkerd:rendered';

/** A Helm chart to release, with all its values. */
export interface Release {
  readonly chart: PinnedChart;
  readonly namespace: string;
  readonly values: Values;
}

/** Declares that a construct represents the release of a chart, whose values are read with the tree. */
export function declareRelease(scope: IConstruct, release: Release): void {
  scope.node.addMetadata(RELEASE, release);
}

/** Returns the release that a construct represents. */
export function releaseOf(construct: IConstruct): Release | undefined {
  return construct.node.metadata.find(({ type }) => type === RELEASE)?.data as Release | undefined;
}

/**
 * Declares that the objects of a construct are rendered from one set of values: an invalid one shows in several of
 * them.
 */
export function declareRender(scope: IConstruct, chart: PinnedChart): void {
  scope.node.addMetadata(RENDERED, chart);
}

/** Returns the chart from which the objects of a construct are rendered without Helm. */
export function renderOf(construct: IConstruct): PinnedChart | undefined {
  return construct.node.metadata.find(({ type }) => type === RENDERED)?.data as PinnedChart | undefined;
}

/** Whether the objects of a construct are rendered from one set of values. */
export function isRender(construct: IConstruct): boolean {
  return renderOf(construct) !== undefined;
}
