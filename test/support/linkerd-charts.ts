import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Values } from '#base/values';
import { readChart } from '#helm/chart/chart';
import { archiveName, digestOf, formatLock, LOCK_FILE } from '#helm/chart/charts-lock';
import type { ChartFolder } from '#lib/index';
import { chartDefaults, defaultsOf } from '#linkerd/releases/chart-defaults';
import { CHART_OF_PART, chartVersions, LINKERD_PARTS, type LinkerdPart } from '#linkerd/releases/charts';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { packaged } from '../packages/helm/chart/tar-writer';

const PARTIALS = {
  'charts/partials/Chart.yaml': 'apiVersion: v2\nname: partials\nversion: 0.1.0\n',
  'charts/partials/templates/_metadata.tpl': `{{- define "partials.annotations.created-by" -}}
linkerd.io/created-by: {{ .Values.cliVersion | default (printf "linkerd/helm %s" .Values.linkerdVersion) }}
{{- end -}}
`,
};

const METADATA = '{{ include "partials.annotations.created-by" . }}';

/** The ServiceAccounts of the control plane, and its Services. */
const ACCOUNTS = ['destination', 'identity', 'proxy-injector', 'heartbeat'];
const SERVICES = [
  'dst',
  'dst-headless',
  'identity',
  'identity-headless',
  'policy',
  'policy-validator',
  'proxy-injector',
  'sp-validator',
];

const account = (name: string) => `---
apiVersion: v1
kind: ServiceAccount
metadata: { name: ${name}, namespace: {{ .Release.Namespace }} }
`;
const service = (name: string) => `---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: {{ .Release.Namespace }} }
spec: { selector: { app: ${name} }, ports: [{ name: https, port: 443 }] }
`;
const deployment = (name: string, more = '') => `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: {{ .Release.Namespace }}
  annotations: { ${METADATA} }
spec:
  replicas: {{ .Values.controllerReplicas | default 1 }}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata:
      labels: { app: ${name} }
      annotations: { ${METADATA}, checksum/config: {{ .Files.Get "README.md" | sha256sum }} }
    spec:
      serviceAccountName: ${name}
      containers:
        - name: main
          image: cr.example.com/linkerd/controller:{{ .Values.linkerdVersion }}
          ports: [{ name: dest-admin, containerPort: 9996 }]
          ${more}
`;

const CONTROL_PLANE = {
  'README.md': 'A chart of tests.',
  'templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata: { name: linkerd-config, namespace: {{ .Release.Namespace }}, annotations: { ${METADATA} } }
data:
  values: |
{{ toYaml .Values | indent 4 }}
`,
  'templates/heartbeat.yaml': `{{- if not .Values.disableHeartBeat }}
apiVersion: batch/v1
kind: CronJob
metadata: { name: linkerd-heartbeat, namespace: {{ .Release.Namespace }} }
spec:
  schedule: "{{ if .Values.heartbeatSchedule }}{{ .Values.heartbeatSchedule }}{{ else }}{{ dateInZone "04 15 * * *" (now | mustDateModify "+10m") "UTC" }}{{ end }}"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          serviceAccountName: linkerd-heartbeat
          containers: [{ name: heartbeat, image: "cr.example.com/linkerd/controller:{{ .Values.linkerdVersion }}" }]
{{- end }}
`,
  'templates/accounts.yaml': ACCOUNTS.map((name) => account(`linkerd-${name}`)).join(''),
  'templates/services.yaml': SERVICES.map((name) => service(`linkerd-${name}`)).join(''),
  'templates/destination.yaml': deployment(
    'linkerd-destination',
    'args: ["-cluster-domain={{ .Values.clusterDomain }}", "-hidden={{ .Values.proxy.hidden }}"]',
  ),
  'templates/proxy-injector.yaml': `${deployment('linkerd-proxy-injector')}{{- $ca := genSelfSignedCert "injector" nil nil 365 }}
{{- if not .Values.proxyInjector.externalSecret }}
---
apiVersion: v1
kind: Secret
metadata: { name: linkerd-proxy-injector-k8s-tls }
data: { tls.key: {{ b64enc $ca.Key }} }
{{- end }}
`,
};

const definition = (plural: string, kind: string, versions: readonly string[], group = 'policy.linkerd.io') => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.${group} }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: ${kind}, plural: ${plural} }
  versions:
${versions
  .map(
    (name, index) =>
      `    - { name: ${name}, served: true, storage: ${index === 0}, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }`,
  )
  .join('\n')}
`;

const CRDS = {
  'templates/policy.yaml': [
    definition('servers', 'Server', ['v1beta3', 'v1beta1']),
    definition('authorizationpolicies', 'AuthorizationPolicy', ['v1alpha1']),
    definition('meshtlsauthentications', 'MeshTLSAuthentication', ['v1alpha1']),
    definition('networkauthentications', 'NetworkAuthentication', ['v1alpha1']),
  ].join(''),
  'templates/routes.yaml': `{{- if .Values.installGatewayAPI }}
${definition('httproutes', 'HTTPRoute', ['v1', 'v1beta1'], 'gateway.networking.k8s.io')}{{- end }}
`,
};

const TEMPLATES: Readonly<Partial<Record<LinkerdPart, Readonly<Record<string, string>>>>> = {
  controlPlane: CONTROL_PLANE,
  crds: CRDS,
  viz: { 'templates/tap.yaml': `${account('tap')}${deployment('tap')}` },
  cni: { 'templates/cni.yaml': account('linkerd-cni') },
};

interface LinkerdChartsOptions {
  readonly version?: string;
  /** The version of all charts. @default - those of the release */
  readonly chartVersion?: string;
  /** The known release whose default values the charts have. */
  readonly valuesOf?: LinkerdVersion;
  /** Files of a chart to add or replace. */
  readonly files?: Readonly<Partial<Record<LinkerdPart, Readonly<Record<string, string>>>>>;
  /** Further default values of a chart. */
  readonly values?: Readonly<Partial<Record<LinkerdPart, Values>>>;
  /** Charts that are missing from the folder. */
  readonly without?: readonly LinkerdPart[];
}

interface Files {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

function chartsOf({
  version = 'edge-26.9.1',
  chartVersion: given,
  valuesOf = 'edge-26.8.3',
  files = {},
  values = {},
  without = [],
}: LinkerdChartsOptions): readonly Files[] {
  const known = releaseOf(valuesOf);
  const versions = chartVersions(version);
  const { highAvailability, vizHighAvailability } = defaultsOf(known);
  const profiles: Readonly<Partial<Record<LinkerdPart, Values>>> = {
    controlPlane: highAvailability,
    viz: vizHighAvailability,
  };
  return LINKERD_PARTS.filter((part) => (TEMPLATES[part] ?? files[part]) !== undefined && !without.includes(part)).map(
    (part) => {
      const pinned = known.charts[part];
      const name = CHART_OF_PART[part];
      const chartVersion = given ?? versions[part] ?? versions.crds;
      const defaults = { ...(pinned && chartDefaults({ ...pinned, linkerdVersion: version })), ...values[part] };
      const profile = profiles[part];
      return {
        name,
        version: chartVersion,
        files: {
          'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${chartVersion}\nkubeVersion: ">=1.31.0-0"\n`,
          'values.yaml': JSON.stringify(defaults),
          ...(profile && { 'values-ha.yaml': JSON.stringify(profile) }),
          ...PARTIALS,
          ...TEMPLATES[part],
          ...files[part],
        },
      };
    },
  );
}

/**
 * A folder in memory with charts of a release. They have the values of Linkerd's charts, and small templates with their
 * special features: a ConfigMap with all values, the time of the render, generated keys, and checksums.
 */
export function linkerdCharts(options: LinkerdChartsOptions = {}): ChartFolder {
  const opened = new Map(
    chartsOf(options).map(({ name, version, files }) => {
      const read = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
      return [`${name} ${version}`, { chart: readChart(read), digest: digestOf(Buffer.from(JSON.stringify(files))) }];
    }),
  );
  const open = ({ name, version }: { name: string; version: string }) => opened.get(`${name} ${version}`);
  return { path: 'charts', open } as unknown as ChartFolder;
}

/** Writes the same charts into a folder, as `cdk8s-linkerd charts pull` does. */
export function writeLinkerdCharts(folder: string, options: LinkerdChartsOptions = {}): void {
  const locked = chartsOf(options).map(({ name, version, files }) => {
    const archive = packaged(files, name);
    writeFileSync(join(folder, archiveName({ name, version })), archive);
    return { name, version, repository: 'https://charts.example.com', sha256: digestOf(archive) };
  });
  writeFileSync(join(folder, LOCK_FILE), formatLock(locked));
}
