/** An AdmissionReview of a Deployment's pod, of the usual size: about 5 KB. */
export function podReview(namespace: string): string {
  const labels = { app: 'web', 'app.kubernetes.io/name': 'web', 'pod-template-hash': '6d4b75cb6d' };
  const env = Array.from({ length: 12 }, (_, index) => ({
    name: `SETTING_${index}`,
    value: `value of setting ${index}`,
  }));
  const container = (name: string) => ({
    name,
    image: `registry.example.com/shop/${name}:1.27.3@sha256:${'0123456789abcdef'.repeat(4)}`,
    args: ['--listen=0.0.0.0:8080', '--log-level=info', '--metrics=:9090'],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: [...env, { name: 'POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/web', readOnly: true },
      { name: 'kube-api-access-x7k2p', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
    livenessProbe: { httpGet: { path: '/live', port: 'http', scheme: 'HTTP' }, periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: {
      httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' },
      periodSeconds: 10,
      failureThreshold: 3,
    },
    securityContext: { readOnlyRootFilesystem: true, runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  });
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'web-6d4b75cb6d',
    uid: '9f0c2d4e-6a8b-4c1d-8e3f-5a7b9c0d1e2f',
  };
  const metadata = {
    generateName: 'web-6d4b75cb6d-',
    namespace,
    creationTimestamp: null,
    labels,
    annotations: { 'checksum/config': '0123456789abcdef'.repeat(4), 'prometheus.io/scrape': 'true' },
    ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
  };
  const spec = {
    volumes: [
      { name: 'config', configMap: { name: 'web', defaultMode: 420 } },
      {
        name: 'kube-api-access-x7k2p',
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          ],
          defaultMode: 420,
        },
      },
    ],
    containers: [container('web'), container('exporter')],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'web',
    securityContext: { fsGroup: 1000 },
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
  const pods = { group: '', version: 'v1', resource: 'pods' };
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '5d0e3a7c-1b2f-4e6d-9a8b-7c6d5e4f3a2b',
      kind,
      resource: pods,
      requestKind: kind,
      requestResource: pods,
      namespace,
      operation: 'CREATE',
      userInfo: {
        username: 'system:serviceaccount:kube-system:replicaset-controller',
        uid: '0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
      },
      object: { kind: 'Pod', apiVersion: 'v1', metadata, spec, status: {} },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    },
  });
}
