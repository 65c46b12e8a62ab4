import type { PolicyRule } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { applicationLabels, withCommonLabels } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding, role, roleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes } from '../pod/kube-api-access';
import { print } from '../print';
import { component, namespacedComponent } from './metadata';
import { tapAdmin } from './tap';
import type { VizView } from './viz-view';
import {
  componentAffinity,
  container,
  deployment,
  disruptionBudget,
  logArguments,
  NO_PROFILES,
  podAnnotations,
  SAFE_TO_EVICT,
  service,
} from './workload';

/** Renders all objects of the dashboard. */
export function web(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.dashboard;
  return [
    ...webRbac(values, context),
    service(values, context, {
      name: 'web',
      labels: {
        ...withCommonLabels(values, namespacedComponent('web', context.namespace)),
        ...ownService.labels,
      },
      annotations: ownService.annotations,
      ports: [
        { name: 'http', port: 8084, targetPort: 8084 },
        { name: values.templates.adminPort, port: 9994, targetPort: 9994 },
      ],
    }),
    webDeployment(values, context),
    ...disruptionBudget(values, context, 'web', replicas),
  ];
}

function webDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const own = values.dashboard;
  const labels = namespacedComponent('web', context.namespace);
  return deployment(values, context, {
    name: 'web',
    replicas: own.replicas,
    labels: { ...applicationLabels('web', values.linkerdVersion), ...labels },
    selector: labels,
    podLabels: labels,
    podAnnotations: { ...podAnnotations(values, own.proxy), ...SAFE_TO_EVICT },
    placement: values,
    pod: {
      ...(values.templates.spreadsDashboard ? { affinity: componentAffinity(values, 'web') } : {}),
      containers: [
        container(values, own, {
          name: 'web',
          args: webArguments(values, context),
          ports: [{ containerPort: 8084, name: 'http' }],
          adminPort: 9994,
          volumeMounts: apiAccessMounts(values),
        }),
      ],
      volumes: apiAccessVolumes(values),
    },
  });
}

function webArguments(values: VizView, context: RenderContext): readonly string[] {
  const { clusterDomain, dashboard, grafana, jaegerUrl, linkerdNamespace } = values;
  return [
    print`-linkerd-metrics-api-addr=metrics-api.${context.namespace}.svc.${clusterDomain}:8085`,
    print`-cluster-domain=${clusterDomain}`,
    ...unlessEmpty('-grafana-addr', grafana.url),
    ...unlessEmpty('-grafana-external-addr', grafana.externalUrl),
    ...unlessEmpty('-grafana-prefix', grafana.uidPrefix),
    ...unlessEmpty('-jaeger-addr', jaegerUrl),
    print`-controller-namespace=${linkerdNamespace}`,
    ...logArguments(values, dashboard),
    `-enforced-host=${dashboard.enforcedHostRegexp || ownHosts(values, context)}`,
    NO_PROFILES,
  ];
}

function unlessEmpty(option: string, value: string | undefined): readonly string[] {
  return value ? [`${option}=${value}`] : [];
}

/** Returns the hosts at which `linkerd viz dashboard` and pods reach the dashboard; others may be DNS rebinding. */
function ownHosts({ clusterDomain }: VizView, { namespace }: RenderContext): string {
  const [short, long] = [`web.${namespace}.svc`, print`web.${namespace}.svc.${clusterDomain}`].map((host) =>
    host.replaceAll('.', '\\.'),
  );
  return String.raw`^(localhost|127\.0\.0\.1|${long}|${short}|\[::1\])(:\d+)?$`;
}

const CONFIG_RULE: PolicyRule = {
  apiGroups: [''],
  resources: ['configmaps'],
  verbs: ['get'],
  resourceNames: ['linkerd-config'],
};

const CONTROL_PLANE_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces', 'configmaps'], verbs: ['get'] },
  { apiGroups: [''], resources: ['serviceaccounts', 'pods'], verbs: ['list'] },
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['list'] },
];

const CHECK_RULES: readonly PolicyRule[] = [
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles', 'clusterrolebindings'], verbs: ['list'] },
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['list'] },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    verbs: ['list'],
  },
  { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: ['list'] },
  { apiGroups: [''], resources: ['nodes', 'pods', 'services'], verbs: ['list'] },
  { apiGroups: ['apiregistration.k8s.io'], resources: ['apiservices'], verbs: ['get'] },
];

const API_RULES: readonly PolicyRule[] = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }];

function webRbac(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const labels = withCommonLabels(values, namespacedComponent('web', namespace));
  return [
    serviceAccount(values, { name: 'web', namespace, labels }),
    ...controlPlaneRbac(values, context),
    ...(values.dashboard.restrictPrivileges ? [] : clusterRbac(values, context)),
  ];
}

function controlPlaneRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { dashboard, linkerdNamespace = '' } = values;
  const labels = withCommonLabels(values, namespacedComponent('web', linkerdNamespace));
  const metadata = { name: 'web', namespace: linkerdNamespace, labels };
  return [
    role(metadata, [CONFIG_RULE, ...(dashboard.restrictPrivileges ? [] : CONTROL_PLANE_RULES)]),
    roleBinding(metadata, ['Role', metadata.name], [account('web', namespace)]),
  ];
}

function clusterRbac(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const labels = withCommonLabels(values, component('web'));
  const web = [account('web', namespace)];
  const named = (purpose: string) => ({ name: `linkerd-${namespace}-web-${purpose}`, labels });
  return [
    clusterRole(named('check'), CHECK_RULES),
    clusterRoleBinding(named('check'), named('check').name, web),
    clusterRoleBinding(named('admin'), tapAdmin(context), web),
    clusterRole(named('api'), API_RULES),
    clusterRoleBinding(named('api'), named('api').name, web),
  ];
}
