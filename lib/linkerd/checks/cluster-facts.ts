import type { ObjectFacts } from '../../kubernetes/checks/object-rule';
import type { Values } from '../../kubernetes/values';
import type { Definition } from '../releases/definitions';

/** The CRDs that linkerd-crds of a cluster brings along. */
export interface LinkerdDefinitions {
  readonly release: string;
  readonly definitions: readonly Definition[];
}

/** Facts about all objects of a cluster, and about its mesh, that rules of one object need. */
export interface ClusterFacts extends ObjectFacts {
  /** The CRDs of Linkerd; undefined where the cluster's output does not install them. */
  readonly linkerd?: LinkerdDefinitions | undefined;
  /** Values of a control plane's chart that Argo CD inflates, as far as they are not the chart's own. */
  readonly inflatedMesh?: Values | undefined;
}
