import type { IConstruct } from 'constructs';
import type { Values } from '#base/values';
import type { Release } from '../../checks/cluster/checked-cluster';

const RELEASE = 'cdk8s-linkerd:release';
const RENDERED = 'cdk8s-linkerd:rendered';
const MESH_VALUES = 'cdk8s-linkerd:mesh-values';

/** Declares that a construct represents the release of a chart, whose values are read with the tree. */
export function declareRelease(scope: IConstruct, release: Release): void {
  scope.node.addMetadata(RELEASE, release);
}

/** Returns the release that a construct represents. */
export function releaseOf(construct: IConstruct): Release | undefined {
  return construct.node.metadata.find(({ type }) => type === RELEASE)?.data as Release | undefined;
}

/**
 * Declares that the objects of a construct are rendered from one set of values. Several objects may then show the same
 * invalid value.
 */
export function declareRender(scope: IConstruct, release: () => Release): void {
  scope.node.addMetadata(RENDERED, release);
}

/** Declares the values of the control plane to which a construct's pods belong, which may be installed elsewhere. */
export function declareMeshValues(scope: IConstruct, values: () => Values): void {
  scope.node.addMetadata(MESH_VALUES, values);
}

/** Returns the values of the control plane to which a construct's pods belong. */
export function meshValuesOf(construct: IConstruct): Values | undefined {
  const values = construct.node.metadata.find(({ type }) => type === MESH_VALUES)?.data as (() => Values) | undefined;
  return values?.();
}

/** Returns the release whose objects are children of a construct, rendered without Helm. */
export function renderOf(construct: IConstruct): Release | undefined {
  return renderIn(construct)?.();
}

/** Whether the objects of a construct are rendered from one set of values. */
export function isRender(construct: IConstruct): boolean {
  return renderIn(construct) !== undefined;
}

function renderIn(construct: IConstruct): (() => Release) | undefined {
  return construct.node.metadata.find(({ type }) => type === RENDERED)?.data as (() => Release) | undefined;
}
