import type { MutatingWebhookConfiguration } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { isEmpty } from '../../empty';
import { caInjection, pinnedCa } from '../../pod/serving-certificate';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { withCommonLabels } from '../metadata';

/** Makes the API server ask the injector about new pods. */
export function injectorWebhook(values: JaegerView, { namespace }: RenderContext): KubernetesObject {
  const { webhook: own } = values;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: {
      name: 'linkerd-jaeger-injector-webhook-config',
      labels: withCommonLabels(values),
      ...caInjection(own),
    },
    webhooks: [
      {
        name: 'jaeger-injector.linkerd.io',
        ...(isEmpty(own.namespaceSelector) ? {} : { namespaceSelector: own.namespaceSelector }),
        ...(isEmpty(own.objectSelector) ? {} : { objectSelector: own.objectSelector }),
        clientConfig: { service: { name: 'jaeger-injector', namespace, path: '/' }, ...pinnedCa(own) },
        failurePolicy: own.failurePolicy,
        admissionReviewVersions: ['v1', 'v1beta1'],
        // The proxy that it configures is there only after the proxy injector has run.
        reinvocationPolicy: 'IfNeeded',
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        sideEffects: 'None',
      },
    ],
  } satisfies MutatingWebhookConfiguration;
}
