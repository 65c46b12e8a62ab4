import { catalogue } from '#base/findings/catalogue';

/** Findings about Viz. */
export const VIZ_FINDINGS = catalogue({
  // Prometheus.
  'viz-value-refused/credentials': {
    severity: 'error',
    what: ({ secret, version }: { secret: string; version: string }) =>
      `prometheusCredsSecret is ${secret}, which Viz of ${version} does not support`,
    why: 'metrics-api would query Prometheus without credentials, and be refused',
    fix: 'use a newer release of Linkerd, or allow Viz to query Prometheus without credentials, by a network or mesh policy',
  },
  'viz-value-refused/retention': {
    severity: 'error',
    what: ({ milliseconds }: { milliseconds: number }) =>
      `prometheus.retention is ${milliseconds} milliseconds, too short for Prometheus`,
    why: 'Prometheus treats zero as unset and keeps samples for 15 days, for which the memory of Viz is too small',
    fix: 'set how long samples are kept, for example Duration.hours(6)',
  },
  'viz-value-refused/dashboard-prefix': {
    severity: 'error',
    what: ({ prefix }: { prefix: string }) =>
      `grafana.uidPrefix is "${prefix}", which UIDs of dashboards cannot begin with`,
    why: 'Grafana has no such dashboard: UIDs consist of letters, digits, "-" and "_"',
    fix: ({ proposed }: { proposed: string }) => `write it as "${proposed}"`,
  },
  'viz-value-refused/entry-points': {
    severity: 'error',
    what: 'ingress.entryPoints is empty',
    why: 'Traefik would serve the dashboard at all of its entry points, including unencrypted ones',
    fix: 'name the entry points, or remove entryPoints',
  },
  'viz-value-refused/common-name': {
    severity: 'error',
    what: ({ name, length }: { name: string; length: number }) =>
      `ingress.tls.commonName is "${name}", which has ${length} characters`,
    why: ({ most }: { most: number }) =>
      `cert-manager refuses the certificate: a common name has 1 to ${most} characters`,
    fix: 'remove it, or shorten it: browsers check only the DNS names',
  },
  'viz-value-refused/proxy-resources': {
    severity: 'error',
    what: 'metricsAPI.proxy.resources is set',
    why: 'The chart then renders invalid YAML, because of a bug in its metrics-api template',
    fix: 'remove it, and set the proxy resources with annotations on the namespace',
  },
  'viz-value-refused/prometheus': {
    severity: 'error',
    what: ({ url }: { url: string }) => `prometheusUrl is "${url}", but the Prometheus of Viz is enabled, too`,
    why: 'Viz would scrape and store all metrics, and query the other Prometheus for them',
    fix: 'use Prometheus.fromUrl({ url }) instead of Prometheus.embedded()',
  },
  'mesh-unscraped': {
    severity: 'warning',
    what: 'Viz queries an external Prometheus, and no construct makes that Prometheus scrape the proxies of the mesh',
    why: 'The dashboard and `linkerd viz stat` show no traffic',
    fix: "set monitoring: { namespace: 'monitoring' } of LinkerdMesh or LinkerdControlPlane, for the Prometheus operator; if another scrape configuration has the job linkerd-proxy, acknowledge the warning: Warnings.of(viz).acknowledge('mesh-unscraped', 'the reason')",
  },
  'prometheus-reader-refused': {
    severity: 'error',
    what: ({ object, namespace }: { object: string; namespace: string }) =>
      `${object} queries the Prometheus of ${namespace}, which only metrics-api may query`,
    why: 'Each measurement is refused, and Argo Rollouts aborts the rollout on errors',
    fix: "pass viz instead of prometheusUrl to SuccessRate, or name the ServiceAccount of Argo Rollouts: Prometheus.embedded({ readers: [{ namespace: 'argo-rollouts', name: 'argo-rollouts' }] })",
  },

  // How browsers reach the dashboard.
  'dashboard-open': {
    severity: 'warning',
    what: ({ prop, host }: { prop: string; host: string }) =>
      `ingress.${prop} is not set: the dashboard at ${host} asks for no credentials`,
    why: 'Any client that reaches it sees every workload of the mesh and may watch live requests with tap',
    fix: ({ prop }: { prop: string }) => `set ${prop}, or make sure that another tool protects the host`,
  },
  'ingress-nginx-retired': {
    severity: 'warning',
    what: ({ host }: { host: string }) =>
      `The dashboard at ${host} is exposed by ingress-nginx, which was retired in March 2026`,
    why: 'Vulnerabilities of the controller are no longer fixed, and it can reach the dashboard and all other services that it exposes',
    fix: ({ host }: { host: string }) =>
      `write ingress: DashboardIngress.gateway({ host: '${host}', gateway: { namespace: '…', name: '…' } }), or DashboardIngress.traefik(); acknowledge the warning if another controller reads the annotations of ingress-nginx`,
  },
  'host-regexp-refused/syntax': {
    severity: 'error',
    what: ({ field, expression, fault }: Record<'field' | 'expression' | 'fault', string>) =>
      `${field} is "${expression}", which Go's regexp refuses: ${fault}`,
    why: 'The dashboard would exit at its start',
    fix: 'write an expression in RE2 syntax, for example "^linkerd\\\\.example\\\\.com$"',
  },
  'host-regexp-refused/yaml': {
    severity: 'error',
    what: ({ field, expression }: { field: string; expression: string }) =>
      `${field} is "${expression}", which contains a space or ends with a colon`,
    why: 'The chart writes it into a YAML list without quotes, where it can be parsed as another value',
    fix: 'remove the space or the colon: no host contains a space or ends with a colon',
  },
  'host-regexp-refused/host': {
    severity: 'error',
    what: ({ field, expression, host }: Record<'field' | 'expression' | 'host', string>) =>
      `${field} is "${expression}", which does not match "${host}"`,
    why: 'The dashboard would answer every request that comes through the ingress with 400',
    fix: ({ field, host }: Record<'field' | 'host', string>) =>
      `match "${host}", or remove ${field}, which is then set to the host of the ingress`,
  },
  'host-regexp-too-broad': {
    severity: 'warning',
    what: ({ field, expression, matched }: Record<'field' | 'expression' | 'matched', string>) =>
      `${field} is "${expression}", which also matches hosts that are not yours, for example "${matched}"`,
    why: 'This turns off the protection against DNS rebinding: a web page can make a browser inside your network read the dashboard and tap traffic',
    fix: 'remove it, so that it is set to the host of the ingress, or match the whole host of the dashboard, with "^" at the start and "$" at the end',
  },
});
