import { catalogue } from '#base/findings/catalogue';

const DECIDED_BY = {
  clusterDomain: 'set clusterDomain of CertManagerPKI',
  cniEnabled: 'set cni of LinkerdControlPlane',
  identityTrustDomain: 'set trustDomain of CertManagerPKI',
  identity: 'set trustAnchor, issuanceLifetime or clockSkewAllowance of CertManagerPKI',
} as const;

type DecidedValue = keyof typeof DECIDED_BY;

/** The values that a LinkerdConfig cannot set. */
export const DECIDED_VALUES = Object.keys(DECIDED_BY) as readonly DecidedValue[];

/** Findings about the operator and its LinkerdConfig. */
export const OPERATOR_FINDINGS = catalogue({
  // The operator's image.
  'operator-image-refused/version': {
    severity: 'error',
    what: ({ field, reference }: { field: string; reference: string }) =>
      `${field} is "${reference}", which names no fixed version`,
    why: 'Each node would run the version that is newest when it pulls the image, and two replicas could run different versions',
    fix: 'add a version as the tag, or a digest',
  },
  'operator-image-refused/unpublished': {
    severity: 'error',
    what: ({ field }: { field: string }) =>
      `${field} is OperatorImage.published(), but no image was published with this build of cdk8s-linkerd`,
    why: 'Only a package that the project has published contains the digest of its image',
    fix: 'install a published package; or use OperatorImage.bundled(), which runs in a stock image of Node.js; or build operator/Dockerfile and refer to the image with OperatorImage.fromRegistry(…)',
  },
  'operator-image-refused': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, not an OperatorImage`,
    why: 'Only an OperatorImage specifies whether the image contains the program of the operator',
    fix: 'write it as OperatorImage.bundled({ node: … }), OperatorImage.published() or OperatorImage.fromRegistry(…)',
  },

  'anchor-exchange-refused': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) =>
      `AnchorExchange copies the report of ${cluster}, with which this cluster shares no anchor that operators rotate`,
    why: 'There is no report to copy, or the operator of this cluster ignores it',
    fix: "name each of the two clusters in trustAnchor: { rotation: 'operator', operator: { cluster, members } } of the other, or remove the AnchorExchange",
  },

  // Options of the operator.
  'second-operator': {
    severity: 'error',
    what: ({ first }: { first: string }) => `The cluster has a ReconcilerOperator already: ${first}`,
    why: 'The permissions, webhooks and CustomResourceDefinition of an operator have names that exist once in a cluster: the operator that is applied last replaces those of the other',
    fix: 'remove one; an operator serves all namespaces of its cluster',
  },
  'second-operator/config': {
    severity: 'error',
    what: ({ first }: { first: string }) => `The operator has a LinkerdConfig already: ${first}`,
    why: 'One control plane has one configuration: the operator would refuse this one with the reason Conflict',
    fix: 'put all values into one LinkerdConfig',
  },
  'operator-setting-refused/log-level': {
    severity: 'error',
    what: ({ level }: { level: string }) => `logLevel is ${level}, which is not a log level`,
    why: 'The operator would refuse the flag, and not start',
    fix: ({ known }: { known: string }) => `choose one of ${known}`,
  },
  'operator-setting-refused/replicas': {
    severity: 'error',
    what: ({ replicas }: { replicas: number }) => `replicas is ${replicas}, not a whole number above 0`,
    why: 'No operator would correct changes of the mesh in the cluster, and the API server would refuse every LinkerdConfig',
    fix: 'set a whole number above 0; to run without the operator, remove ReconcilerOperator',
  },
  'operator-setting-refused/installer-managers': {
    severity: 'error',
    what: ({ managers }: { managers: string }) =>
      `installerFieldManagers is [${managers}], not a list of field managers`,
    why: 'Without a name, the operator would refuse the flag, and not start. It would read a name with a comma as two names, and treat what this manager writes as drift',
    fix: 'name the field manager of the tool that installs the control plane, for example argocd-controller',
  },
  'operator-setting-refused/namespaces': {
    severity: 'error',
    what: 'namespaces is empty',
    why: 'The operator would refuse the flag, and not start',
    fix: 'name the namespaces whose workloads the operator manages, or remove namespaces for all; the namespace of the control plane is always included',
  },
  'operator-setting-refused/user-offset': {
    severity: 'error',
    what: ({ offset }: { offset: number }) => `proxyUsers.offset is ${offset}, not a whole number from 1 to 2147483647`,
    why: 'Applications run with the first UID of the range: a proxy with the same UID would treat their traffic as its own. A UID is a whole number below 2147483648',
    fix: 'set a whole number from 1 to 2147483647',
  },
  'operator-setting-refused/proxy-users': {
    severity: 'error',
    what: 'proxyUsers is set, but multus is off',
    why: 'Only the webhook that attaches pods through Multus sets the UID of their proxies',
    fix: 'remove proxyUsers, or let the operator attach pods (multus)',
  },
  'operator-setting-refused/webhooks': {
    severity: 'error',
    what: 'webhookClients is set, but webhooks is false',
    why: 'The operator serves no webhooks that these clients could call',
    fix: 'remove one of the two',
  },
  'operator-setting-refused/webhook-clients': {
    severity: 'error',
    what: 'webhookClients.cidrs is empty',
    why: 'A NetworkPolicy with an empty list of sources admits all of them: any client could call the webhooks',
    fix: 'name the networks of the API servers, or remove cidrs',
  },
  'operator-setting-refused/client-ca-key': {
    severity: 'error',
    what: ({ key }: { key: string }) =>
      `webhookClients.clientCa.key is "${key}", which is not a valid key of a ConfigMap`,
    why: 'The pods of the operator would not start',
    fix: 'set it to the key of the ConfigMap that contains the PEM text, for example ca.crt',
  },
  'operator-setting-refused/deletion-policy': {
    severity: 'error',
    what: ({ policy }: { policy: string }) => `deletionPolicy is ${policy}, which is not a known policy`,
    why: 'The API server refuses the LinkerdConfig',
    fix: ({ known }: { known: string }) => `choose one of ${known}`,
  },
  'operator-setting-refused/whole-number': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: number }) => `${field} is ${value}, which is out of range`,
    why: 'The API server refuses the LinkerdConfig, or the operator never restarts a workload',
    fix: ({ most }: { most: number }) => `set a whole number from 1 to ${most}`,
  },
  'operator-namespaces-incomplete/restarted': {
    severity: 'error',
    what: ({ workloads }: { workloads: string }) =>
      `The operator should restart ${workloads}, but its namespaces do not include them`,
    why: 'A change of the configuration would reach these proxies only when their pods restart for another reason',
    fix: 'add their namespaces to namespaces of ReconcilerOperator, or remove the label config.linkerd.io/reconcile',
  },
  'operator-namespaces-incomplete/attached': {
    severity: 'error',
    what: ({ namespaces }: { namespaces: string }) =>
      `MultusAttach attaches pods in ${namespaces}, which the namespaces of the operator do not include`,
    why: 'The operator would not attach these pods: their linkerd-network-validator fails, and they do not start',
    fix: 'add them to namespaces of ReconcilerOperator',
  },

  // Multus.
  'multus-attach-mismatch/control-plane': {
    severity: 'error',
    what: 'multus is true, but the pods of the control plane do not attach to linkerd-cni',
    why: 'The pods of the control plane start before the operator can attach them: their linkerd-network-validator would fail, and the mesh would not start',
    fix: 'add a MultusAttach for the control plane, or set multus to false',
  },
  'multus-attach-mismatch/late': {
    severity: 'error',
    what: 'Objects of the operator were read before the MultusAttach of its control plane was created',
    why: 'These objects configure an operator without Multus, and other objects already depend on them',
    fix: 'create MultusAttach before the App or its charts are synthesized',
  },
  'multus-attach-mismatch/missing': {
    severity: 'error',
    what: ({ path, namespace }: { path: string; namespace: string }) =>
      `${path} expects the operator in ${namespace} to attach pods, but multus of that operator is false`,
    why: 'Pods would not attach: their linkerd-network-validator fails, and they do not start',
    fix: 'set multus to true; or remove operatorNamespace from MultusAttach and give pod templates MultusAttach.podAnnotations',
  },
  'multus-attach-mismatch/twice': {
    severity: 'error',
    what: ({ path, other, namespace }: Record<'path' | 'other' | 'namespace', string>) =>
      `${path} expects an operator in ${other} to attach pods, but multus of the operator in ${namespace} is true`,
    why: 'Two operators would attach the same pods and create the same networks; if the cluster has only one, operatorNamespace of MultusAttach is wrong',
    fix: ({ namespace, other }: { namespace: string; other: string }) =>
      `set operatorNamespace of MultusAttach to ${namespace}; or set multus to false, if the operator in ${other} attaches pods`,
  },
  'multus-without-webhooks': {
    severity: 'warning',
    what: 'multus is true, but webhooks is false',
    why: 'The operator creates the networks, but only its webhook attaches pods to them',
    fix: 'remove webhooks, or give pod templates MultusAttach.podAnnotations',
  },

  // LinkerdConfig.
  'operator-missing': {
    severity: 'error',
    what: 'operator is undefined',
    why: 'No operator would apply the LinkerdConfig, and the API server would refuse it without the CustomResourceDefinition of the operator',
    fix: 'pass a ReconcilerOperator; a LinkerdMesh has one if its prop operator is set, for example to {}',
  },
  'value-set-elsewhere': {
    severity: 'error',
    what: ({ path }: { path: DecidedValue }) => `values sets ${path}`,
    why: 'Other parts of the mesh keep the value of the installation: proxies with another value could not connect to them',
    fix: ({ path }: { path: DecidedValue }) =>
      `remove it from the LinkerdConfig, and ${DECIDED_BY[path] ?? 'set the prop that decides it'}`,
  },
  'config-values-unused': {
    severity: 'warning',
    what: ({ paths }: { paths: string }) => `values sets ${paths}, which only components of the control plane use`,
    why: 'A LinkerdConfig changes only the ConfigMap linkerd-config, where these values have no effect',
    fix: 'set them as values of LinkerdControlPlane',
  },
  'proxy-version': {
    severity: 'warning',
    what: ({ proxies, version }: { proxies: string; version: string }) =>
      `values.proxy.image.version is ${proxies}, but the control plane is of release ${version}`,
    why: 'Only proxies of the same release are tested with a control plane, and if there is no such image, no new pod starts',
    fix: 'remove proxy.image.version when the control plane has the release of the proxies',
  },
  'operator-release-differs': {
    severity: 'warning',
    what: ({ version, like, group }: Record<'version' | 'like' | 'group', string>) =>
      `The control plane is of release ${version}, which synth treats as ${like}, and the operator as ${group}`,
    why: 'The operator checks values for the injector of the release that it assumes: it may refuse values that work, or accept values that do not',
    fix: ({ version }: { version: string }) =>
      `set injectorLike of Release.fromCharts to the known release that is closest to ${version}, or check the status of the LinkerdConfig after each change`,
  },
  'values-not-seen': {
    severity: 'warning',
    what: 'Argo CD renders the chart of the control plane, and ignores data.values of linkerd-config because an operator is in use',
    why: 'A change of values that alters nothing else of the chart is not detected, and reaches the cluster only with the next sync',
    fix: "sync by hand after such a change, or keep delivery at 'manifests', which adds a checksum of the values to the injector",
  },
});
