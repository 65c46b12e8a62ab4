import { catalogue } from '#base/findings/catalogue';
import type { Problem } from '#base/findings/problem';
import { type ChartError, chartPlace } from '#helm/chart/chart-error';
import { type ChartFault, type FaultTable, HELM_FAULTS, worded } from '#helm/chart/chart-faults';
import { FOLDER_FAULTS } from '../charts/chart-faults';
import { RELEASE_CHART_FAULTS } from '../releases/chart-faults';

const KEY_IN_GIT =
  'The chart would create or copy a private key into a Secret, which stays in Git permanently: anyone with the key can impersonate pods or webhooks';

const overridden = ({ path, value }: { path: string; value: string }) =>
  `highAvailability is true, but values.${path} is ${value}`;

/** Findings about the values of Linkerd's charts. */
export const LINKERD_CHART_FINDINGS = catalogue({
  'key-made-by-chart/webhook': {
    severity: 'error',
    what: ({ key }: { key: string }) => `values.${key}.externalSecret is not true`,
    why: KEY_IN_GIT,
    fix: ({ key }: { key: string }) =>
      `set ${key}.externalSecret to true and ${key}.injectCaFrom to a Certificate of cert-manager`,
  },
  'key-made-by-chart/identity': {
    severity: 'error',
    what: ({ scheme }: { scheme: string }) => `values.identity.issuer.scheme is "${scheme}"`,
    why: KEY_IN_GIT,
    fix: 'set identity.issuer.scheme to "kubernetes.io/tls", and let cert-manager maintain the Secret linkerd-identity-issuer',
  },
  'ca-source-ambiguous/several': {
    severity: 'error',
    what: ({ key, sources }: { key: string; sources: string }) => `values.${key} has ${sources}`,
    why: 'The chart refuses more than one source of the CA: Helm fails, and nothing is rendered',
    fix: ({ key }: { key: string }) =>
      `keep one of them, preferably ${key}.injectCaFrom with the Certificate as <namespace>/<name>`,
  },
  'ca-source-ambiguous/none': {
    severity: 'error',
    what: ({ key }: { key: string }) =>
      `values.${key}.externalSecret is true, but none of injectCaFrom, injectCaFromSecret and caBundle is set`,
    why: ({ key }: { key: string }) =>
      `Without a CA, API servers would not trust ${key}, so the chart refuses this: Helm fails, and nothing is rendered`,
    fix: ({ key }: { key: string }) => `set ${key}.injectCaFrom to its Certificate, as <namespace>/<name>`,
  },
  'credentials-found/values': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} holds a password or a token`,
    why: 'Values are committed to Git: everyone who can read the repository could log in with them',
    fix: 'remove them, and let the chart read them from a Secret that is not in Git',
  },
  'chart-value-missing/control-plane-namespace': {
    severity: 'error',
    what: ({ value }: { value: string }) => `values.linkerdNamespace is ${value}, which names no namespace`,
    why: 'The extension would not find the control plane, and its Roles would be in another namespace',
    fix: 'set linkerdNamespace to the namespace of the control plane, such as "linkerd"',
  },
  'chart-value-missing/image-version': {
    severity: 'error',
    what: ({ path, value }: { path: string; value: string }) => `values.${path} is ${value}, not a version`,
    why: 'The reference to the image would be invalid, and its containers would not start',
    fix: ({ path }: { path: string }) =>
      `remove ${path}, which restores the default of the chart, or set it to a version`,
  },
  'chart-value-missing/printed': {
    severity: 'error',
    what: ({ object }: { object: string }) => `The chart prints "%!s(<nil>)" into ${object}`,
    why: 'A value that its template needs was removed, and the API server or the component would refuse the text',
    fix: 'remove the null from values, which restores the default of the chart',
  },
  'chart-value-missing/persistence': {
    severity: 'error',
    what: ({ key }: { key: string }) => `values.prometheus.persistence has no ${key}`,
    why: 'The API server refuses a PersistentVolumeClaim without it, and Prometheus would wait for its volume forever',
    fix: ({ key, example }: { key: string; example: string }) =>
      `set ${key}, such as "${example}", or remove persistence`,
  },
  'chart-value-missing/remote-accounts': {
    severity: 'error',
    what: ({ path }: { path: string }) =>
      `values.${path} names no ServiceAccount, but remoteMirrorServiceAccount is true`,
    why: 'The chart renders no ServiceAccount, or one without a name, which the API server refuses',
    fix: 'set it to the name of a ServiceAccount, or set remoteMirrorServiceAccount to false (remoteAccounts: false of Multicluster)',
  },
  'chart-value-missing/link-name': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} has no link.ref.name`,
    why: 'The service mirror needs the name of its Link: the chart fails, and nothing is rendered',
    fix: ({ path }: { path: string }) => `set ${path}.link.ref.name to the name of the Link`,
  },
  'chart-value-refused/null': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} is null`,
    why: "Helm drops a null only where the chart's defaults have the same key: this null would stay, and the chart would print an empty value, or fail",
    fix: 'remove it from the map of values that sets it',
  },
  'chart-value-refused/link-name-long': {
    severity: 'error',
    what: ({ place, name, length }: { place: string; name: string; length: number }) =>
      `${place} is "${name}", which has ${length} characters`,
    why: ({ service }: { service: string }) =>
      `The Service ${service} is named after it, and names of Services have at most 63 characters`,
    fix: ({ most }: { most: number }) => `shorten it to ${most} characters or less`,
  },
  'chart-value-refused/controllers': {
    severity: 'error',
    what: 'values.controllers is not a list',
    why: 'The templates render a service mirror for each of its items',
    fix: 'write a list: controllers: [{ link: { ref: { name: west } } }]',
  },
  'chart-value-refused/namespace-selector': {
    severity: 'error',
    what: ({ value, error }: { value: string; error: string }) =>
      `values.podMonitor.controller.namespaceSelector is ${value}: ${error}`,
    why: 'Prometheus would not scrape the control plane',
    fix: 'write it as YAML, such as "any: true" or "matchNames: [linkerd, linkerd-viz]"; {{ .Release.Namespace }} is replaced by the namespace',
  },
  'chart-value-refused/prometheus-text': {
    severity: 'error',
    what: ({ error }: { error: string }) =>
      `The configuration of Prometheus contains values that YAML cannot hold: ${error}`,
    why: 'The chart would leave out a whole part of the configuration without an error',
    fix: 'remove control characters (U+007F to U+009F, U+FFFE, U+FFFF) from values.prometheus',
  },
  'chart-value-refused/repeated': {
    severity: 'error',
    what: ({ path, name }: { path: string; name: string }) => `values.${path} contains "${name}" more than once`,
    why: 'Both render an object of the same name: the one that is applied last replaces the other, and removing one removes both',
    fix: 'keep one of them, or give each a name of its own',
  },
  'chart-value-refused/environment-with-tracing': {
    severity: 'error',
    what: 'values.controller.tracing is enabled, and destinationController has additionalEnv or experimentalEnv',
    why: 'The chart prints the argument with the trace collector into the list of environment variables, and the API server refuses the Deployment',
    fix: 'remove controller.tracing or the variables; traces of proxies (proxy.tracing) are not affected',
  },
  'chart-value-refused/ipv6': {
    severity: 'error',
    what: ({ value }: { value: string }) => `values.disableIPv6 is ${value}, neither true nor false`,
    why: 'The CNI plugin cannot tell whether to redirect IPv6: the chart fails, and nothing is rendered',
    fix: 'set disableIPv6 to false if pods have IPv6 addresses, otherwise remove it',
  },
  'chart-value-refused/pod-security-policy': {
    severity: 'error',
    what: 'values.enablePSP is true',
    why: 'Kubernetes 1.25 removed PodSecurityPolicy: the sync fails on an unknown kind',
    fix: 'remove enablePSP: the namespaces have the labels of the Pod Security Standards',
  },
  'high-availability-overridden/replicas': {
    severity: 'error',
    what: overridden,
    why: 'With one replica, each restart interrupts injection, discovery and the issuing of certificates',
    fix: ({ path }: { path: string }) => `set ${path} to 2 or more, or highAvailability to false`,
  },
  'high-availability-overridden/gateway-replicas': {
    severity: 'error',
    what: overridden,
    why: 'All requests of other clusters pass the gateway: with one pod, each restart interrupts them',
    fix: ({ path }: { path: string }) => `set ${path} to 2 or more, or highAvailability to false`,
  },
  'high-availability-overridden/tap-replicas': {
    severity: 'error',
    what: overridden,
    why: 'tap serves an API of the API server: with one replica, each restart makes that API unavailable',
    fix: ({ path }: { path: string }) => `set ${path} to 2 or more, or highAvailability to false`,
  },
  'high-availability-overridden/spread': {
    severity: 'error',
    what: overridden,
    why: 'All replicas may run on one node and go down with it',
    fix: ({ path }: { path: string }) => `set ${path} to true, or highAvailability to false`,
  },
  'high-availability-overridden/disruption-budget': {
    severity: 'error',
    what: overridden,
    why: 'Draining nodes may evict all replicas at once',
    fix: ({ path }: { path: string }) => `set ${path} to true, or highAvailability to false`,
  },
  'high-availability-overridden/failure-policy': {
    severity: 'error',
    what: overridden,
    why: 'While no injector answers, pods start without a proxy and stay outside the mesh',
    fix: ({ path }: { path: string }) => `set ${path} to Fail, or highAvailability to false`,
  },
  'high-availability-overridden/check': {
    severity: 'error',
    what: overridden,
    why: '"linkerd check" checks high availability only if this value is set',
    fix: ({ path }: { path: string }) => `remove ${path} from values, or set highAvailability to false`,
  },
  'prometheus-missing': {
    severity: 'error',
    what: ({ enabled }: { enabled: string }) => `values.prometheus.enabled is ${enabled}, and prometheusUrl is empty`,
    why: 'Without a Prometheus, neither the dashboard nor the CLI has any data',
    fix: 'set prometheusUrl to the URL of one, or prometheus.enabled to true; in Viz, use Prometheus.fromUrl({ url }) or Prometheus.embedded()',
  },
  'mesh-unscraped/values': {
    severity: 'warning',
    ofAbsence: 'object',
    what: ({ url }: { url: string }) =>
      `Viz queries the Prometheus at ${url}, and nothing configures that Prometheus to scrape the proxies of the mesh`,
    why: 'The dashboard and `linkerd viz stat` show no traffic',
    fix: 'set podMonitor.enabled to true in the values of linkerd-control-plane, for the Prometheus operator, or give the Prometheus the scrape jobs of https://linkerd.io/2-edge/tasks/external-prometheus/',
  },
  'cni-mismatch/absent': {
    severity: 'error',
    ofAbsence: 'object',
    what: 'values.cniEnabled is true, and nothing installs the chart linkerd2-cni',
    why: 'Without the CNI plugin nothing redirects the traffic of pods to their proxies, and the network validator stops them',
    fix: 'install linkerd2-cni before the control plane, or remove cniEnabled',
  },
  'grafana-ambiguous': {
    severity: 'error',
    what: ({ url, externalUrl }: { url: string; externalUrl: string }) =>
      `values.grafana.url is "${url}" and values.grafana.externalUrl is "${externalUrl}"`,
    why: 'The dashboard can link to only one Grafana',
    fix: 'keep grafana.url (Grafana.fromService({ url })) for one in the cluster, or grafana.externalUrl (Grafana.fromUrl({ url })) for one outside of it',
  },
});

/** Findings about charts that cannot be read or rendered: a cause for each fault. */
export const CHART_FAULT_FINDINGS = catalogue(
  Object.fromEntries(
    Object.entries<FaultTable[string]>({ ...HELM_FAULTS, ...FOLDER_FAULTS, ...RELEASE_CHART_FAULTS }).map(
      ([fault, { reason, remedy }]) => [
        `chart-not-rendered/${fault}`,
        {
          severity: 'error' as const,
          what: (parameters: FaultParameters) =>
            `${parameters.place}: ${parameters.subject === undefined ? '' : `${parameters.subject}: `}${worded(reason, parameters)}`,
          why: 'The objects of a chart are known only if all of it can be read and rendered',
          fix: (parameters: FaultParameters) => worded(remedy, parameters),
        },
      ],
    ),
  ),
);

type FaultParameters = ChartFault['parameters'];

const BY_FAULT = new Map(Object.values(CHART_FAULT_FINDINGS).map((make) => [make.entry.cause, make]));

/** Returns the problem of a chart that cannot be read or rendered. */
export function chartProblem({ problem }: ChartError): Problem {
  const { fault, subject, parameters } = problem;
  const make = BY_FAULT.get(fault);
  if (make === undefined) throw new Error(`the fault ${fault} has no finding`);
  return make({ place: chartPlace(problem), ...(subject !== undefined && { subject }), ...parameters });
}
