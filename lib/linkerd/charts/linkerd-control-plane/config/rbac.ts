import type { ObjectMeta } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { isEmpty } from '../../empty';
import { createdBy } from '../../metadata/created-by';
import { labels, PART_OF_LINKERD } from '../../metadata/labels';
import { account, role, roleBinding } from '../../metadata/rbac';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';

const ROLE = 'ext-namespace-metadata-linkerd-config';

/**
 * Renders the permission to read the `linkerd-config` ConfigMap: extensions bind their own accounts, values name
 * further ones.
 */
export function configRbac(values: ControlPlaneView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const readers = values.configReaders ?? [];
  return [
    role({ name: ROLE, namespace, ...roleLabels(values, namespace), annotations: createdBy(values) }, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['linkerd-config'] },
    ]),
    ...(readers.length === 0
      ? []
      : [
          roleBinding(
            { name: 'linkerd-config-reader', namespace, labels: labels(values, namespace, PART_OF_LINKERD) },
            ['Role', ROLE],
            readers.map((reader) => account(reader.name ?? '', reader.namespace)),
          ),
        ]),
  ];
}

function roleLabels(values: ControlPlaneView, namespace: string): Pick<ObjectMeta, 'labels'> {
  if (values.templates.labelledConfigRole) return { labels: labels(values, namespace) };
  return isEmpty(values.commonLabels) ? {} : { labels: values.commonLabels };
}
