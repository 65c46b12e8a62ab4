import { catalogue } from '#base/findings/catalogue';

const neverEnds = ({ job }: { job: string }) => `${job} is part of the mesh, and nothing ends its proxy`;
const waitsForProxy = ({ version }: { version: string }) =>
  `A proxy of ${version} that is not a native sidecar keeps running when the job is done: the job never completes, and what waits for it (a Helm hook, the next run) waits forever`;

/** Findings about pods that stay outside of the mesh, or do not start or end in it. */
export const MESHED_PODS_FINDINGS = catalogue({
  'host-network-in-mesh': {
    severity: 'error',
    what: ({ object }: { object: string }) => `${object} is added to the mesh, but its pods have hostNetwork: true`,
    why: ({ annotation }: { annotation: string }) =>
      `Linkerd never injects pods on the host network, whatever the value of ${annotation}: the proxy would get the traffic of the whole node`,
    fix: ({ annotation }: { annotation: string }) =>
      `exclude it from the mesh (${annotation}: disabled on its pods), or remove hostNetwork`,
  },
  'namespace-never-injected': {
    severity: 'error',
    what: ({ workload, namespace }: { workload: string; namespace: string }) =>
      `${workload} is added to the mesh, but pods in namespace ${namespace} are never injected`,
    why: ({ exempt }: { exempt: string }) =>
      `The API server does not call the proxy injector for pods in ${exempt}: they would silently run without a proxy`,
    fix: 'install it in a namespace of its own, or keep it out of the mesh',
  },
  'namespace-never-injected/label': {
    severity: 'error',
    what: ({ workload, namespace, label }: Record<'workload' | 'namespace' | 'label', string>) =>
      `${workload} is added to the mesh, but Namespace ${namespace} has the label ${label}: disabled`,
    why: 'The API server does not call the proxy injector for its pods: they silently run without a proxy',
    fix: ({ annotation, label }: Record<'annotation' | 'label', string>) =>
      `remove the label ${label}, or the annotation ${annotation}`,
  },
  'job-never-ends/without-native-sidecars': {
    severity: 'error',
    what: neverEnds,
    why: waitsForProxy,
    fix: 'keep it out of the mesh (linkerd.io/inject: disabled on its pods, exclude() of Meshing), or run its command under linkerd-await --shutdown (linkerdAwait of inject())',
  },
  'job-never-ends/turned-off': {
    severity: 'error',
    what: neverEnds,
    why: waitsForProxy,
    fix: 'make its proxy a native sidecar: remove the annotation that turns it off (proxy.nativeSidecar: false of Meshing)',
  },
  'job-never-ends/control-plane': {
    severity: 'error',
    what: neverEnds,
    why: waitsForProxy,
    fix: ({ annotation }: { annotation: string }) =>
      `make its proxy a native sidecar: remove proxy.nativeSidecar: false from the values of the control plane, or set ${annotation}: "true" on its pods (inject() of Meshing)`,
  },
  'job-never-ends/default': {
    severity: 'error',
    what: neverEnds,
    why: waitsForProxy,
    fix: ({ version, annotation }: Record<'version' | 'annotation', string>) =>
      `make its proxy a native sidecar, which is not the default of ${version}: set ${annotation}: "true" on its pods (inject() of Meshing), or proxy.nativeSidecar to true in the values of the control plane`,
  },
  'job-never-ends/unknown-release': {
    severity: 'error',
    what: neverEnds,
    why: 'A proxy that is not a native sidecar keeps running when the job is done: the job never completes, and what waits for it (a Helm hook, the next run) waits forever',
    fix: 'make its proxy a native sidecar: remove what turns it off, the annotation of the pods or of their namespace, or proxy.nativeSidecar: false in the values of the control plane',
  },
  'injector-deadlock': {
    severity: 'error',
    what: ({ namespaces }: { namespaces: string }) =>
      `values.proxyInjector.namespaceSelector selects ${namespaces}, and webhookFailurePolicy is Fail`,
    why: 'Their pods could not start while no injector runs, and no injector runs without them: after an outage the cluster would not recover by itself. A list in values replaces the list of the chart',
    fix: ({ namespaces }: { namespaces: string }) =>
      `set the label config.linkerd.io/admission-webhooks: disabled on the Namespaces ${namespaces}, and keep the matchExpressions of the chart in your list, if you set one`,
  },
  'injector-deadlock/webhook': {
    severity: 'error',
    what: ({ webhook, namespaces }: Record<'webhook' | 'namespaces', string>) =>
      `${webhook} selects pods in ${namespaces}, and its failurePolicy is Fail`,
    why: 'Their pods cannot start while no injector runs, and no injector runs without them: after an outage the cluster does not recover by itself',
    fix: ({ namespaces }: { namespaces: string }) =>
      `exempt ${namespaces} in its namespaceSelector (proxyInjector.namespaceSelector in the values of the chart), or set failurePolicy to Ignore (webhookFailurePolicy)`,
  },
  'injector-deadlock/unlabelled': {
    severity: 'error',
    ofAbsence: 'object',
    what: ({ webhook, namespaces }: Record<'webhook' | 'namespaces', string>) =>
      `${webhook} selects pods in ${namespaces} unless a label exempts them, its failurePolicy is Fail, and nothing sets the label`,
    why: 'Their pods cannot start while no injector runs, and no injector runs without them: after an outage the cluster does not recover by itself',
    fix: ({ label }: { label: string }) => `set the label ${label}: disabled on these Namespaces`,
  },
  'opaque-ports-without-effect': {
    severity: 'warning',
    what: ({ service, ports, own }: Record<'service' | 'ports' | 'own', string>) =>
      `${service} has the opaque ports ${ports}, and serves only ${own}`,
    why: 'Clients look up the port of the Service that they connect to, so the annotation has no effect: proxies detect the protocol of each connection',
    fix: 'list ports of the Service, not the container ports that they target',
  },
  'opaque-ports-without-effect/pods': {
    severity: 'warning',
    what: ({ service, port, pods, target }: Record<'service' | 'port' | 'pods' | 'target', string>) =>
      `Port ${port} of ${service} is opaque, but port ${target} of ${pods}, to which it leads, is not`,
    why: 'The proxies of these pods detect the protocol of opaque traffic from clients: connections on which the server speaks first wait for ten seconds (linkerd check: "opaque ports are properly annotated")',
    fix: ({ annotation, target, pods }: Record<'annotation' | 'target' | 'pods', string>) =>
      `add ${target} to ${annotation} of the pods of ${pods}`,
  },
});

/** Findings about the releases of a fleet. */
export const FLEET_RELEASE_FINDINGS = catalogue({
  'ring-out-of-order': {
    severity: 'warning',
    what: ({
      later,
      laterRelease,
      laterCluster,
      earlier,
      earlierRelease,
      earlierCluster,
    }: Record<'later' | 'laterRelease' | 'laterCluster' | 'earlier' | 'earlierRelease' | 'earlierCluster', string>) =>
      `The ring ${later} has ${laterRelease} (cluster ${laterCluster}) before the ring ${earlier}, whose newest release is ${earlierRelease} (cluster ${earlierCluster})`,
    why: 'A release should run in earlier rings first, and this release does not',
    fix: ({ later, earlier }: { later: string; earlier: string }) =>
      `move ${earlier} to this release first, or ${later} to the release of ${earlier}`,
  },
  'link-version-skew': {
    severity: 'warning',
    what: ({
      cluster,
      release,
      line,
      target,
      targetRelease,
      targetLine,
    }: Record<'cluster' | 'release' | 'line' | 'target' | 'targetRelease' | 'targetLine', string>) =>
      `The cluster ${cluster} (${release}, Linkerd ${line}) is linked to ${target} (${targetRelease}, Linkerd ${targetLine})`,
    why: 'Proxies of one cluster connect to those of the other, and Linkerd supports control planes and proxies at most one minor version apart',
    fix: 'upgrade the cluster with the older release first, one minor version at a time',
  },
});
