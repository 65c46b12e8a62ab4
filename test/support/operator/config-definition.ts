import { linkerdConfigDefinition } from '#lib/constructs/operator/linkerd-config-definition';
import { DEFAULT_LINKERD_VERSION, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import type { CustomResourceDefinition } from '#operator/api/crd/custom-resource-definition';
import type { KubeObject } from '../cluster/objects';

/** The CustomResourceDefinition of LinkerdConfig for a control plane of this release. */
export function configDefinition(
  version: LinkerdVersion = DEFAULT_LINKERD_VERSION,
): KubeObject & CustomResourceDefinition {
  return linkerdConfigDefinition(releaseOf(version)) as object as KubeObject & CustomResourceDefinition;
}
