import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { Values } from '../../../kubernetes/values';
import type { MulticlusterTemplates } from '../../releases/groups/multicluster';
import type { RenderContext } from '../render-context';
import { adminPolicy } from './admin-policy';
import { gateway, gatewayPolicy } from './gateway';
import { linkController } from './mirror/link-controller';
import { controllerRole } from './mirror/link-rbac';
import { localMirror } from './mirror/local-mirror';
import { controllersOf, multiclusterView } from './multicluster-view';
import { namespaceMetadata } from './namespace-metadata';
import { remoteAccess } from './remote-access';

/**
 * Every object of the multi-cluster extension, equal to what the official chart of a release renders but for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's over the chart's own; null removes a key. To be checked by
 * `checkMulticlusterRender` first.
 */
export function renderMulticluster(
  values: Values,
  context: RenderContext,
  templates: MulticlusterTemplates,
): readonly KubernetesObject[] {
  const view = multiclusterView(values, templates);
  return [
    controllerRole(view),
    ...controllersOf(view).flatMap((controller) => linkController(view, context, controller)),
    ...(view.gateway.enabled ? [...gateway(view, context), ...gatewayPolicy(view, context)] : []),
    ...localMirror(view, context),
    ...adminPolicy(view, context),
    ...remoteAccess(view, context),
    ...(view.createNamespaceMetadataJob ? namespaceMetadata(view, context) : []),
  ];
}
