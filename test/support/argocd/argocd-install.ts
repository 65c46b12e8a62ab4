import { customResourceDefinition } from '../cluster/crds';
import { type KubeObject, ref } from '../cluster/objects';

/** Columns of `kubectl get applications` in Argo CD's CRD. */
const COLUMNS = [
  { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
  { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
];

/**
 * The part of Argo CD's `install.yaml` that a cluster of tests uses: its CRDs, and workloads with the same names, whose
 * containers do not run.
 */
export function argoCdManifests(namespace: string): readonly KubeObject[] {
  return [
    withColumns(customResourceDefinition('argoproj.io', 'Application')),
    customResourceDefinition('argoproj.io', 'ApplicationSet'),
    customResourceDefinition('argoproj.io', 'AppProject'),
    workload('Deployment', 'argocd-repo-server', namespace),
    workload('Deployment', 'argocd-applicationset-controller', namespace),
    workload('StatefulSet', 'argocd-application-controller', namespace),
  ];
}

function withColumns(definition: KubeObject): KubeObject {
  const versions: readonly object[] = definition.spec.versions;
  const additionalPrinterColumns = COLUMNS;
  return {
    ...definition,
    spec: { ...definition.spec, versions: versions.map((version) => ({ ...version, additionalPrinterColumns })) },
  };
}

/** Simulates the time of image pulls. The API server needs five seconds for each CRD. */
const START_SECONDS = 15;

function workload(kind: string, name: string, namespace: string): KubeObject {
  const labels = { 'app.kubernetes.io/name': name };
  const template = { metadata: { labels }, spec: { containers: [{ name, image: 'quay.io/argoproj/argocd' }] } };
  const ofKind = kind === 'StatefulSet' ? { serviceName: name } : {};
  return {
    ...ref('apps/v1', kind, name, namespace),
    spec: { replicas: 1, minReadySeconds: START_SECONDS, selector: { matchLabels: labels }, template, ...ofKind },
  };
}
