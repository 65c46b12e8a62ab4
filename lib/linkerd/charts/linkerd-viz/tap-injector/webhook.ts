import type { MutatingWebhookConfiguration } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { isEmpty } from '../../empty';
import { caInjection, pinnedCa } from '../../pod/serving-certificate';
import type { RenderContext } from '../../render-context';
import { VIZ, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** Makes the API server ask the tap injector about new pods. */
export function tapInjectorWebhook(values: VizView, { namespace }: RenderContext): KubernetesObject {
  const { tapInjector: own } = values;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: {
      name: 'linkerd-tap-injector-webhook-config',
      labels: withCommonLabels(values, VIZ),
      ...caInjection(own),
    },
    webhooks: [
      {
        name: 'tap-injector.linkerd.io',
        ...(isEmpty(own.namespaceSelector) ? {} : { namespaceSelector: own.namespaceSelector }),
        ...(isEmpty(own.objectSelector) ? {} : { objectSelector: own.objectSelector }),
        clientConfig: { service: { name: 'tap-injector', namespace, path: '/' }, ...pinnedCa(own) },
        failurePolicy: own.failurePolicy,
        admissionReviewVersions: ['v1', 'v1beta1'],
        // The proxy that it configures is there only after the proxy injector has run.
        reinvocationPolicy: 'IfNeeded',
        rules: [
          {
            operations: ['CREATE'],
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['pods'],
            scope: values.templates.tappedScope,
          },
        ],
        sideEffects: 'None',
      },
    ],
  } satisfies MutatingWebhookConfiguration;
}
