import type { Container, CronJob } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { WORKLOAD_NS } from '../../annotations';
import type { RenderContext } from '../../charts/render-context';
import { heartbeatTime } from '../heartbeat-schedule';
import { createdBy } from '../metadata/created-by';
import { applicationLabels, component, labels } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding, role, roleBinding } from '../metadata/rbac';
import { addedEnvironment, env } from '../pod/environment';
import { apiAccessVolumes, tokenAutomount } from '../pod/kube-api-access';
import { resources } from '../pod/resources';
import { POD_SECURITY } from '../pod/security-context';
import { print } from '../print';
import type { ControlPlaneView } from './control-plane-view';
import { serviceAccount } from './metadata';
import { controller, scheduling } from './workload';

/** Renders the daily report of the mesh's version and size to versioncheck.linkerd.io. */
export function heartbeatCronJob(values: ControlPlaneView, context: RenderContext): KubernetesObject {
  const { namespace } = context;
  const volumes = apiAccessVolumes(values);
  const application = { ...applicationLabels('heartbeat', values.linkerdVersion), ...component('heartbeat') };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name: 'linkerd-heartbeat',
      namespace,
      labels: labels(values, namespace, application),
      annotations: createdBy(values),
    },
    spec: {
      concurrencyPolicy: 'Replace',
      schedule: values.heartbeatSchedule || dailySchedule(values, context),
      successfulJobsHistoryLimit: 0,
      jobTemplate: {
        spec: {
          template: {
            metadata: {
              labels: { ...component('heartbeat'), [WORKLOAD_NS]: namespace, ...values.podLabels },
              annotations: { ...createdBy(values), ...values.podAnnotations },
            },
            spec: {
              ...scheduling(values),
              ...tokenAutomount(values),
              containers: [heartbeatContainer(values, context)],
              restartPolicy: 'Never',
              securityContext: POD_SECURITY,
              serviceAccountName: 'linkerd-heartbeat',
              ...(volumes.length > 0 ? { volumes } : {}),
            },
          },
        },
      },
    },
  } satisfies CronJob;
}

/** Returns a stable schedule. The chart's default is ten minutes from now, which differs from render to render. */
function dailySchedule({ clusterDomain }: ControlPlaneView, { clusterName }: RenderContext): string {
  const { minute, hour } = heartbeatTime(clusterName ?? clusterDomain ?? '');
  return `${minute} ${hour} * * *`;
}

function heartbeatContainer(values: ControlPlaneView, { namespace }: RenderContext): Container {
  const ofViz = print`http://prometheus.linkerd-viz.svc.${values.clusterDomain}:9090`;
  return controller(values, {
    name: 'heartbeat',
    args: [
      'heartbeat',
      `-controller-namespace=${namespace}`,
      print`-log-level=${values.controllerLogLevel}`,
      print`-log-format=${values.controllerLogFormat}`,
      `-prometheus-url=${values.prometheusUrl || ofViz}`,
    ],
    env: [
      env('LINKERD_DISABLED', 'the heartbeat controller does not use the proxy'),
      ...addedEnvironment(values.heartbeat ?? {}),
    ],
    resources: resources(values.heartbeatResources),
  });
}

const NAME = 'linkerd-heartbeat';

/** Renders the permissions of the heartbeat: read the mesh's configuration, and count namespaces and ServiceProfiles. */
export function heartbeatRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const subjects = [account(NAME, namespace)];
  const metadata = { name: NAME, labels: labels(values, namespace) };
  return [
    serviceAccount(values, context, 'heartbeat'),
    role({ ...metadata, namespace }, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['linkerd-config'] },
    ]),
    roleBinding({ ...metadata, namespace }, ['Role', NAME], subjects),
    clusterRole(metadata, [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
      { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: ['list'] },
    ]),
    clusterRoleBinding(metadata, NAME, subjects),
  ];
}
