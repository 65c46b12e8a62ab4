import type { Job } from '../../../imports/kubernetes';
import { INJECT } from '../../kubernetes/annotations';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { hookAnnotations } from '../metadata/hook';
import { applicationLabels } from '../metadata/labels';
import { account, role, roleBinding } from '../metadata/rbac';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print } from '../print';
import type { RenderContext } from '../render-context';
import type { JaegerView } from './jaeger-view';
import { creator, JAEGER, withCommonLabels } from './metadata';
import { scheduling } from './workload/deployment';

const NAME = 'namespace-metadata';

/** Renders the job that labels the extension's namespace, where whoever made it did not, and its permissions. */
export function namespaceMetadata(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  return [...rbac(values, context), job(values, context)];
}

function rbac(values: JaegerView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { linkerdNamespace = '' } = values;
  const metadata = {
    labels: withCommonLabels(values),
    annotations: { ...creator(values), ...hookAnnotations(0) },
  };
  const own = { name: NAME, namespace, ...metadata };
  const accounts = [account(NAME, namespace)];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own },
    role(own, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'patch'], resourceNames: [namespace] }]),
    roleBinding(own, ['Role', NAME], accounts),
    roleBinding(
      { name: `jaeger-${NAME}-linkerd-config`, namespace: linkerdNamespace, ...metadata },
      ['Role', `ext-${NAME}-linkerd-config`],
      accounts,
    ),
  ];
}

function job(values: JaegerView, { namespace }: RenderContext): KubernetesObject {
  const { imagePullPolicy, linkerdNamespace, namespaceMetadata: own } = values;
  const labels = { ...JAEGER, ...applicationLabels(NAME, values.linkerdVersion) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: NAME,
      namespace,
      labels: withCommonLabels(values, labels),
      annotations: { ...creator(values), ...hookAnnotations(1) },
    },
    spec: {
      template: {
        metadata: {
          annotations: { ...creator(values), [INJECT]: 'disabled' },
          labels: { ...labels, ...values.podLabels },
        },
        spec: {
          ...scheduling(own),
          restartPolicy: 'Never',
          securityContext: POD_SECURITY,
          serviceAccountName: NAME,
          containers: [
            {
              name: NAME,
              image: print`${own.image.registry}/${own.image.name}:${own.image.tag}`,
              imagePullPolicy: own.image.pullPolicy || imagePullPolicy,
              securityContext: unprivileged(values.defaultUID, undefined),
              args: [
                '--extension',
                'jaeger',
                '--namespace',
                namespace,
                '--linkerd-namespace',
                print`${linkerdNamespace}`,
              ],
            },
          ],
        },
      },
    },
  } satisfies Job;
}
