import type { IConstruct } from 'constructs';
import type { Values } from '../../kubernetes/values';
import type { PinnedChart } from '../../linkerd/releases/pinned-chart';

const RELEASE = 'cdk8s-linkerd:release';
const RENDERED = 'cdk8s-linkerd:rendered';

/** A Helm chart that is to be released, with all of its values. */
export interface Release {
  readonly chart: PinnedChart;
  readonly namespace: string;
  readonly values: Values;
}

/** Says that a construct stands for the release of a chart, whose values are asked for when the tree is read. */
export function declareRelease(scope: IConstruct, release: Release): void {
  scope.node.addMetadata(RELEASE, release);
}

/** The release that a construct stands for. */
export function releaseOf(construct: IConstruct): Release | undefined {
  return construct.node.metadata.find(({ type }) => type === RELEASE)?.data as Release | undefined;
}

/** Says that the objects of a construct are rendered from one set of values: a wrong one shows in several of them. */
export function declareRender(scope: IConstruct, chart: PinnedChart): void {
  scope.node.addMetadata(RENDERED, chart);
}

/** The chart that the objects of a construct are rendered from, without Helm. */
export function renderOf(construct: IConstruct): PinnedChart | undefined {
  return construct.node.metadata.find(({ type }) => type === RENDERED)?.data as PinnedChart | undefined;
}

/** Tells constructs whose objects are rendered from one set of values. */
export function isRender(construct: IConstruct): boolean {
  return renderOf(construct) !== undefined;
}
