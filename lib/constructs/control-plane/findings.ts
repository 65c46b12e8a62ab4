import { catalogue } from '#base/findings/catalogue';

/** Findings about the control plane, and about settings of proxies that several constructs share. */
export const CONTROL_PLANE_FINDINGS = catalogue({
  // Releases.
  'component-release-differs': {
    severity: 'error',
    what: ({ component, other, own }: Record<'component' | 'other' | 'own', string>) =>
      `${component} is of release ${other}, but the control plane is of ${own}`,
    why: 'Custom resources, chart values and images change between releases, and a release is tested only with itself',
    fix: ({ own }: { own: string }) => `use ${own} for both`,
  },
  'release-injector-assumed': {
    severity: 'warning',
    what: ({ version, known }: { version: string; known: string }) =>
      `The proxy injector of ${version} is not known, and is assumed to be that of ${known}`,
    why: 'Its image, not its chart, decides which annotations and values it reads: settings of workloads may have no effect, and new settings are refused',
    fix: ({ known }: { known: string }) =>
      `compare pkg/k8s/labels.go and pkg/inject of both releases in the linkerd2 repository, and set injectorLike to the release whose injector reads the same annotations and values, such as '${known}'`,
  },

  // Namespaces.
  'control-plane-namespace-reserved': {
    severity: 'error',
    what: ({ namespace }: { namespace: string }) => `The namespace of the control plane is ${namespace}`,
    why: 'The namespace gets labels that keep its pods out of the mesh and set the level of pod security, for everything in it',
    fix: 'set controlPlaneNamespace of CertManagerPKI to a namespace that only the control plane uses',
  },
  'cni-mismatch/namespace': {
    severity: 'error',
    what: ({ namespace }: { namespace: string }) =>
      `The control plane and the CNI plugin are both in namespace ${namespace}`,
    why: 'The namespace of the control plane gets pod-security.kubernetes.io/enforce: restricted, with which the API server refuses the pods of the plugin: no meshed pod would start',
    fix: 'set namespace of LinkerdCni to another namespace',
  },

  // The CNI plugin.
  'cni-mismatch/missing': {
    severity: 'error',
    what: 'values.cniEnabled is true, but the control plane has no cni',
    why: 'Without the CNI plugin nothing redirects the traffic of pods to their proxies, and the network validator stops them',
    fix: 'set the prop cni to a LinkerdCni or to LinkerdCni.fromExisting()',
  },
  'cni-mismatch/distribution': {
    severity: 'error',
    what: ({ openShift, distribution }: Record<'openShift' | 'distribution', string>) =>
      `openShift is ${openShift}, but distribution is '${distribution}'`,
    why: 'Both choose the directories of the nodes that the plugin is installed to',
    fix: 'keep distribution, and remove openShift',
  },
  'control-plane-value-refused/distribution': {
    severity: 'error',
    what: ({ value }: { value: string }) => `distribution is ${value}, which is not a known distribution`,
    why: 'The plugin would be written to directories that the container runtime does not read: no meshed pod would start',
    fix: ({ proposed }: { proposed: string }) =>
      `write ${proposed}; for other distributions, set destCNIBinDir and destCNINetDir in values`,
  },
  'cni-mismatch/value': {
    severity: 'error',
    what: ({ path, here, key, there }: Record<'path' | 'here' | 'key' | 'there', string>) =>
      `values.${path} is ${here}, but ${key} of the CNI plugin is ${there}`,
    why: 'The plugin redirects traffic to ports, and exempts a user ID. If the injected proxy uses other values, connections loop or fail',
    fix: ({ path, key }: { path: string; key: string }) =>
      `give values.${path} and ${key} of LinkerdCni the same value`,
  },
  'control-plane-value-refused/kubeconfig': {
    severity: 'error',
    what: ({ path }: { path: string }) =>
      `kubeconfig is "${path}", which is not an absolute path without special characters`,
    why: 'The plugin reads this file on the hosts when Multus runs it: no pod that attaches would start',
    fix: 'give an absolute path of letters, digits and -_.@:+=~ such as /etc/cni/net.d/ZZZ-linkerd-cni-kubeconfig',
  },
  'control-plane-value-refused/redirected-ports': {
    severity: 'error',
    what: ({ ports }: { ports: string }) =>
      `values.portsToRedirect is "${ports}", not a list of ports separated by commas`,
    why: "The chart writes it into the plugin's JSON as a list of numbers; anything else, including ranges, makes the network of every pod fail",
    fix: 'list single ports separated by commas, such as "8080,9090"',
  },
  'control-plane-value-refused/node-networks': {
    severity: 'error',
    what: ({ value }: { value: string }) => `nodeNetworks is ${value}, not a list of networks`,
    why: 'Probes are allowed only from these networks: without any, no pod with a policy would become ready',
    fix: "list the networks from which kubelets probe, for example ['10.0.0.0/16'], or remove it to allow all",
  },
  'control-plane-value-refused/pod-monitors': {
    severity: 'error',
    what: 'Both the prop monitoring and values.podMonitor.enabled are set',
    why: 'Prometheus would scrape every proxy twice, and each rate would count double',
    fix: 'keep one of them: the prop, or the PodMonitors of the chart (values.podMonitor)',
  },

  // Certificates and CAs.
  'certificate-source-conflict/certificate': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} contains a certificate`,
    why: 'The chart ignores it: the certificate and its key come from a Secret that cert-manager writes',
    fix: ({ path }: { path: string }) => `remove ${path}, or give the issuer of the certificate to CertManagerPKI`,
  },
  'certificate-source-conflict/anchor': {
    severity: 'error',
    what: 'values.identityTrustAnchorsPEM is set together with identity.externalCA',
    why: 'Proxies read the trust anchors from a ConfigMap, which receives each new anchor: they would ignore a second, pinned list, and the CLI might check it instead',
    fix: 'remove identityTrustAnchorsPEM, and give the anchor to CertManagerPKI',
  },
  'certificate-source-conflict/webhook-ca': {
    severity: 'error',
    what: ({ path }: { path: string }) =>
      `values.${path} is set, but cert-manager injects the CA of the webhook's Certificate`,
    why: 'The API server would trust one CA and receive a certificate of another, or the chart does not render',
    fix: ({ path }: { path: string }) => `remove ${path}: CertManagerPKI sets the CA`,
  },

  // Required proxies.
  'require-proxy-refused/action': {
    severity: 'error',
    what: ({ namespace, action }: { namespace: string; action: string }) =>
      `requireProxy of namespace ${namespace} is ${action}, which is not a known action`,
    why: 'requireProxy decides what happens to pods that start without a proxy',
    fix: ({ known }: { known: string }) => `choose one of ${known}, or false`,
  },
  'require-proxy-refused/contradicted': {
    severity: 'error',
    what: ({ namespace, here, elsewhere }: Record<'namespace' | 'here' | 'elsewhere', string>) =>
      `requireProxy of namespace ${namespace} is ${here} here, and ${elsewhere} in another construct`,
    why: 'A namespace can have only one policy for pods without a proxy',
    fix: 'set the same value in both constructs, or set it in only one of them',
  },
  'require-proxy-refused/never-injected': {
    severity: 'error',
    what: ({ namespace }: { namespace: string }) => `Pods in namespace ${namespace} are required to have a proxy`,
    why: 'The API server does not call the proxy injector for them: its namespaceSelector excludes the namespace, by name or label',
    fix: ({ namespace }: { namespace: string }) => `remove requireProxy of ${namespace}`,
  },
  'require-proxy-refused/too-early': {
    severity: 'error',
    what: ({ namespaces }: { namespaces: string }) => `Pods in ${namespaces} are required to have a proxy`,
    why: 'Nothing injects proxies before these pods run: the cluster would not start, neither for the first time nor after an outage',
    fix: ({ namespaces }: { namespaces: string }) => `remove requireProxy of ${namespaces}`,
  },

  // Monitoring, nodes and the Gateway API.
  'gateway-api-undeclared': {
    severity: 'warning',
    what: ({ version }: { version: string }) =>
      `gatewayApi is not set, and ${version} does not install the CRDs of the Gateway API by default`,
    why: 'The policy controller looks for these CRDs only when it starts: without them, it ignores HTTPRoutes and GRPCRoutes until its next start',
    fix: "set crds: { gatewayApi: 'install' } of LinkerdMesh or LinkerdControlPlane, or gatewayApi: 'existing' if another tool installs them",
  },
});
