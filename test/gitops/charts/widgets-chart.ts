import { createHash } from 'node:crypto';
import { readChart } from '#helm/chart/chart';
import type { ChartFolder } from '#lib';

const CHART_YAML = 'apiVersion: v2\nname: widgets\nversion: 1.2.3\n';
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Cluster
  names: { kind: Widget, plural: widgets, singular: widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
  labels: { app.kubernetes.io/managed-by: {{ .Release.Service }}, kube: {{ .Capabilities.KubeVersion.Version | quote }} }
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: {{ .Values.image }}
          {{- if .Values.debug }}
          args: [--debug]
          {{- end }}
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: first }
{{- if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}
---
apiVersion: v1
kind: ConfigMap
metadata: { name: watched }
{{- end }}
`;
const HOOKS = `apiVersion: v1
kind: ConfigMap
metadata: { name: before, annotations: { helm.sh/hook: pre-install } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: try, annotations: { helm.sh/hook: test } }
`;
/** The files of a chart with a CRD, a custom resource, a workload, a hook and a test. */
export const WIDGETS: Readonly<Record<string, string>> = {
  'Chart.yaml': CHART_YAML,
  'values.yaml': 'replicas: 2\nimage: example.com/web:1\ndebug: true\n',
  'values.schema.json': '{"type":"object","properties":{"replicas":{"type":"integer"}}}',
  'crds/widgets.yaml': CRD,
  'templates/web.yaml': DEPLOYMENT,
  'templates/hooks.yaml': HOOKS,
};

/** The prop `chart` of a HelmRelease of WIDGETS. */
export const PINNED = {
  name: 'widgets',
  version: '1.2.3',
  repository: 'https://charts.example.com',
  kinds: [
    '/ConfigMap',
    '/Secret',
    'apiextensions.k8s.io/CustomResourceDefinition',
    'apps/Deployment',
    'example.com/Widget',
  ],
  foreignNamespaces: ['linkerd'],
} as const;

/** A folder of charts in memory with one chart. */
export function chartFolder(files = WIDGETS): ChartFolder {
  const chart = readChart(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
  const digest = createHash('sha256').update(JSON.stringify(files)).digest('hex');
  const open = ({ name, version }: { name: string; version: string }) =>
    name === 'widgets' && version === '1.2.3' ? { chart, digest } : undefined;
  return { path: 'charts', open } as unknown as ChartFolder;
}
