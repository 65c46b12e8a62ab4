import { catalogue } from '#base/findings/catalogue';

const REFUSED =
  'Each cluster refuses certificates of roots that it does not trust: TLS fails, and gateways refuse clients without TLS';

/** Findings about Multicluster, its Links and exported services. */
export const MULTICLUSTER_FINDINGS = catalogue({
  // The extension and its gateway.
  'link-crd-source-refused/unknown': {
    severity: 'error',
    what: ({ crds }: { crds: string }) => `crds is ${crds}, neither 'install' nor 'existing'`,
    why: 'crds decides whether the CRD of Link is part of the output',
    fix: "choose 'install' or 'existing'",
  },
  'link-crd-source-refused/chart': {
    severity: 'error',
    what: "crds is 'existing', but delivery is 'helm'",
    why: 'The chart always contains the CRD of Link: it would take over the existing CRD, and delete it when the chart is removed',
    fix: "set delivery to 'manifests', or crds to 'install'",
  },
  'gateway-setting-refused/port': {
    severity: 'error',
    what: ({ path, value, port, by }: { path: string; value: string; port: string; by: string }) =>
      `values.${path} is ${value}, but proxies serve ${port} (${by} of the control plane)`,
    why: 'The Service would forward to a port that no proxy listens on: other clusters could not reach this one',
    fix: ({ path, port }: { path: string; port: string }) =>
      `set ${path} to ${port}; to expose another port, use the annotations of your load balancer`,
  },
  'gateway-setting-refused/probe-path': {
    severity: 'error',
    what: ({ value }: { value: string }) => `values.gateway.probe.path is ${value}, at which proxies answer no probes`,
    why: 'Proxies answer probes only at /ready and /live: all linked clusters would consider the gateway down',
    fix: 'remove it: the default is /ready',
  },
  'gateway-setting-refused/node-ports-equal': {
    severity: 'error',
    what: ({ port }: { port: number }) => `gateway.nodePorts has ${port} for both the gateway and its probe`,
    why: 'A node port forwards to only one port of the pods: the API server refuses the Service',
    fix: 'give the probe another port',
  },
  'gateway-setting-refused/node-ports-unused': {
    severity: 'error',
    what: 'gateway.nodePorts is set, but gateway.serviceType is ClusterIP',
    why: 'A ClusterIP Service has no node ports: no client could reach the gateway through them',
    fix: "set serviceType to 'NodePort', or remove nodePorts",
  },
  'gateway-setting-refused/probe-period': {
    severity: 'error',
    what: ({ seconds }: { seconds: number }) => `gateway.probePeriod is ${seconds} seconds, not a whole number above 0`,
    why: 'A Link stores the period in whole seconds, and a service mirror with a period of zero would probe without delay',
    fix: 'set it to a whole number of seconds, at least 1, such as Duration.seconds(3)',
  },
  'gateway-setting-refused/failure-threshold': {
    severity: 'error',
    what: ({ threshold }: { threshold: string }) =>
      `gateway.failureThreshold is ${threshold}, not a whole number above 0`,
    why: 'The service mirror counts failed probes, and stops probing if it cannot read the number',
    fix: 'write a whole number of 1 or more',
  },

  // Trust between clusters.
  'link-anchors-differ': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `This cluster and ${cluster} have different trust anchors, and sharedTrustAnchor does not change that`,
    why: REFUSED,
    fix: "use the same root in both (TrustAnchor.fromPem with the same certificates), or let the operators rotate shared anchors: trustAnchor: { rotation: 'operator', operator: { cluster, members } }, where each names the other",
  },
  'link-anchors-differ/one-sided': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `Only one of this cluster and ${cluster} names the other among the members of its trust anchor`,
    why: `A rotation does not wait for a cluster that is not among the members, which then lacks the new root. ${REFUSED}`,
    fix: 'add each of the two to operator.members of the other, under its operator.cluster',
  },
  'link-certification-differs/not-offered': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `This cluster or ${cluster} requests a certificate from the other one, which does not list it in operator.certifies`,
    why: `The other cluster never answers the request. ${REFUSED}`,
    fix: 'list the requesting cluster in operator.certifies of the other one, or remove operator.bridge of the requesting cluster',
  },
  'link-certification-differs/not-asked': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `This cluster or ${cluster} lists the other one in operator.certifies, but the other one requests no certificate from it`,
    why: 'The cluster with operator.certifies never retires an anchor: it waits until its next anchor has certified the other cluster',
    fix: "set operator.bridge of the other one to { signedBy: 'Member', member }, or remove the other one from operator.certifies",
  },
  'link-certification-differs/circle': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `This cluster and ${cluster} ask each other to certify their anchors`,
    why: 'Each anchor would need a certificate from the other, and neither could be rotated',
    fix: 'remove operator.bridge from the cluster whose anchor certifies the others',
  },
  'link-certification-differs/unconstrained': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `This cluster or ${cluster} certifies the other one for a trust domain, but the other one does not request that constraint`,
    why: `The request is refused. ${REFUSED}`,
    fix: 'set constrained: true in operator.bridge of the certified cluster, and trustDomain of operator.certifies to its trust domain',
  },
  'link-anchors-unknown': {
    severity: 'warning',
    what: ({ cluster }: { cluster: string }) =>
      `Git does not show whether this cluster and ${cluster} trust each other's anchors`,
    why: `The anchors are in Secrets, or behind issuers. ${REFUSED}`,
    fix: 'check that both trust the same anchors (`linkerd multicluster check` compares them), and set sharedTrustAnchor: true',
  },
  'link-trust-domain-default': {
    severity: 'warning',
    what: ({ cluster, trustDomain }: { cluster: string; trustDomain: string }) =>
      `This cluster and ${cluster} have the trust domain ${trustDomain}, which is the default of all clusters`,
    why: ({ cluster }: { cluster: string }) =>
      `A ServiceAccount of this cluster has the same identity as that of the same namespace and name in ${cluster}: policies of pods that are reached directly cannot distinguish them`,
    fix: 'if you want this, acknowledge the warning, or set a common trustDomain for both clusters before you install them; otherwise set a different trustDomain for each, or turn off direct connections in the Link: remoteDiscovery: false, federated: false',
  },
  'link-trust-domains-differ': {
    severity: 'warning',
    what: ({ own, cluster, other }: Record<'own' | 'cluster' | 'other', string>) =>
      `The trust domain of this cluster is ${own}, and that of ${cluster} is ${other}`,
    why: 'A policy that names ServiceAccounts permits only identities in the trust domain of its own cluster: it refuses clients of the other cluster',
    fix: 'give both clusters the same trustDomain, or name clients of other clusters by their identities',
  },

  // Links.
  'link-credentials-given': {
    severity: 'error',
    what: ({ prop }: { prop: string }) => `The Link has the prop ${prop}`,
    why: 'Anyone who reads the repository could access the other cluster with it, and the service mirror may read only the Secret cluster-credentials-<cluster>',
    fix: ({ prop }: { prop: string }) =>
      `remove ${prop}, and create this Secret in the cluster: with an ExternalSecret that you build from Link.credentials, or manually with \`linkerd multicluster link-gen\``,
  },
  'link-target-refused/other-cluster': {
    severity: 'error',
    what: 'The Multicluster of the Link belongs to another cluster',
    why: 'No service mirror of that cluster would read the Link, which is in this one',
    fix: 'pass the Multicluster of the cluster that the Link is in',
  },
  'link-target-refused/unknown': {
    severity: 'error',
    what: ({ target }: { target: string }) => `target is ${target}, not a reference to a cluster of the platform`,
    why: 'The Link reads the domain, the gateway and the trust anchor of the other cluster from this reference',
    fix: "pass the reference that Platform.addCluster returned, or platform.cluster('NAME')",
  },
  'link-target-refused/itself': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The cluster ${cluster} is linked to itself`,
    why: 'All exported services would be mirrored into the same cluster',
    fix: 'remove the Link; services of a cluster can be reached without one',
  },
  'link-target-refused/repeated': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The cluster is linked to ${cluster} more than once`,
    why: 'Links, and their service mirrors, have the name of the other cluster: the one that is applied last replaces the other',
    fix: 'keep one of the Links; one Link can mirror services in all modes',
  },
  'link-target-incomplete/unbuilt': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The constructs of ${cluster} cannot be built`,
    why: 'The Link reads the domain, the gateway and the trust anchor of the other cluster from its constructs',
    fix: ({ cluster }: { cluster: string }) =>
      `correct the function that builds ${cluster}; synth reports its problems under ${cluster}, or if you synthesize only ${cluster}`,
  },
  'link-target-incomplete/multicluster': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The cluster ${cluster} has no Multicluster`,
    why: 'It has neither a gateway nor a ServiceAccount with which a service mirror could read its services',
    fix: ({ cluster }: { cluster: string }) => `add new Multicluster(${cluster}, …) to it`,
  },
  'link-target-incomplete/account': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The Multicluster of ${cluster} has remoteAccounts: false`,
    why: 'Other clusters have no ServiceAccount in it, so no kubeconfig for the service mirror can be created',
    fix: ({ cluster }: { cluster: string }) =>
      `remove remoteAccounts of ${cluster}, or name a ServiceAccount for this cluster`,
  },
  'link-target-incomplete/gateway': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The Link has a gateway, but the Multicluster of ${cluster} has none`,
    why: 'Mirrors would point to an address that does not respond',
    fix: ({ cluster }: { cluster: string }) => `give ${cluster} a gateway, or remove gateway from the Link`,
  },
  'link-target-incomplete/gateway-address': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The output does not contain the address of the gateway of ${cluster}`,
    why: 'A Link contains the address, but a load balancer gets its address only in the cluster',
    fix: ({ cluster }: { cluster: string }) =>
      `set gateway.addresses of the Multicluster of ${cluster} (for all links to it), or of the Link; prefer a DNS name that is kept up to date`,
  },
  'link-target-incomplete/gateway-port': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `The gateway of ${cluster} is a NodePort whose ports Kubernetes chooses`,
    why: 'A Link contains the ports, but Kubernetes chooses them only in the cluster',
    fix: ({ cluster }: { cluster: string }) =>
      `set gateway.nodePorts of the Multicluster of ${cluster}, or gateway.ports of the Link`,
  },
  'link-mirrors-nothing': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `The Link to ${cluster} mirrors no services: exported, remoteDiscovery and federated are false, or need a gateway that does not exist`,
    why: 'A service mirror would run without effect',
    fix: 'remove one of these settings, or remove the Link',
  },

  // Exported services.
  'export-refused/mode': {
    severity: 'error',
    what: ({ mode }: { mode: string }) => `A service is exported with mode ${mode}, which does not exist`,
    why: 'No service mirror would mirror it',
    fix: ({ known }: { known: string }) => `choose one of ${known}`,
  },
  'export-refused/contested': {
    severity: 'error',
    what: ({ object, key, value, existing }: Record<'object' | 'key' | 'value' | 'existing', string>) =>
      `${object} would get the label ${key}: "${value}", but has "${existing}" already`,
    why: 'A service is exported in one mode only, and clients may rely on the existing one',
    fix: 'export it only once; in addition to one mode, a service can be federated',
  },
  'export-refused/object': {
    severity: 'error',
    what: ({ object, apiVersion }: { object: string; apiVersion: string }) =>
      `${object} (${apiVersion}) is exported, but is not a Service`,
    why: 'Service mirrors read only Services: the label would have no effect',
    fix: 'export the Service that selects its pods',
  },
  'export-refused/external-name': {
    severity: 'error',
    what: ({ service }: { service: string }) => `${service} is exported, but is of type ExternalName`,
    why: 'It has no pods: a mirror of it would have no endpoints',
    fix: 'create a Service of the same type in the clusters that need it',
  },
  'export-refused/port': {
    severity: 'error',
    what: ({ service }: { service: string }) => `${service} is exported, but has no TCP port`,
    why: 'Proxies forward only TCP: no client could connect to a mirror of it',
    fix: 'export a service with a TCP port',
  },
  'export-refused/name': {
    severity: 'error',
    what: ({ service, mirror, length }: { service: string; mirror: string; length: number }) =>
      `${service} is exported, but the name of its mirror, ${mirror}, would have ${length} characters`,
    why: ({ most }: { most: number }) =>
      `Names of Services have at most ${most} characters: the service mirrors of other clusters fail to create it`,
    fix: ({ longest }: { longest: number }) => `shorten the name of the service to ${longest} characters or less`,
  },
  'export-refused/gateway': {
    severity: 'error',
    what: ({ service }: { service: string }) => `${service} is exported through the gateway, but this cluster has none`,
    why: 'No other cluster would mirror it, because their Links have no gateway',
    fix: "set gateway of Multicluster, or export it with mode 'remote-discovery' in a flat network",
  },
  'export-refused/headless': {
    severity: 'error',
    what: ({ service }: { service: string }) => `${service} joins a federated service, but is headless`,
    why: 'Service mirrors refuse it: clients of a headless service choose pods by their names, which differ in each cluster',
    fix: "export it with mode 'gateway' (and headlessServices of the Links to this cluster), or give it a cluster IP",
  },
});
