import { Construct } from 'constructs';
import type { Cluster, ClusterProps } from '#lib/gitops/tree/cluster';
import { setHomeNamespace } from '#lib/gitops/tree/home-namespace';
import { manifest } from '#lib/gitops/tree/manifest';
import { ensureNamespace } from '#lib/gitops/tree/namespace';
import { dependsOn } from '#lib/gitops/tree/order';
import { external, home } from '../main';

/** A cluster to be synthesized many times. */
export interface Tree {
  readonly props: ClusterProps;
  readonly build: (cluster: Cluster) => void;
}

/** The trees by their names on the command line. */
export const TREES: Readonly<Record<string, Tree>> = {
  home: {
    props: { external: external.home },
    build: home,
  },
  objects: { props: {}, build: objects },
};

const COMPONENTS = 10;
const OBJECTS = 15;

/** 150 objects of usual size in ten components. Each component depends on the one before. */
function objects(cluster: Cluster): void {
  let previous: Construct | undefined;
  for (let index = 0; index < COMPONENTS; index += 1) {
    const name = `component-${index}`;
    const component = new Construct(cluster, name);
    setHomeNamespace(component, name);
    ensureNamespace(component, name, { labels: { 'app.kubernetes.io/part-of': 'bench' } });
    // From 1: the Namespace is the first object.
    for (let number = 1; number < OBJECTS; number += 1) addObject(component, name, number);
    dependsOn(component, previous);
    previous = component;
  }
}

function addObject(scope: Construct, namespace: string, number: number): void {
  const name = `object-${number}`;
  const metadata = {
    name,
    namespace,
    labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'bench' },
  };
  if (number % 2 === 0) {
    const data = { 'settings.yaml': `replicas: ${number}\nlevel: info\n`, note: 'text: with a colon' };
    manifest(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    return;
  }
  manifest(scope, name, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations: { 'linkerd.io/inject': 'enabled' } },
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name,
              image: `registry.example.com/bench/${name}:1.${number}.0`,
              args: ['--listen=0.0.0.0:8080', '--log-level=info'],
              ports: [{ name: 'http', containerPort: 8080 }],
              env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
              readinessProbe: { httpGet: { path: '/ready', port: 'http' }, initialDelaySeconds: 2 },
              resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
              securityContext: { readOnlyRootFilesystem: true, runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
            },
          ],
        },
      },
    },
  });
}
