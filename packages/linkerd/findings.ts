import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';

const NOT_SERVED =
  'The API server does not know the kind at that version: the sync of its folder fails until the object is removed';

const isUnsupported = ({ field, value, version }: Record<'field' | 'value' | 'version', string>) =>
  `${field} is ${value}, which ${version} does not support`;
const IGNORED = 'The proxy injector ignores it';

/** A fault of a release, the release that fixes it, its source, and the affected object. */
type Fault = Record<'release' | 'fixed' | 'source' | 'subject', string>;

type LimitedProxy = Record<'range' | 'pods' | 'resource' | 'amount' | 'allowed', string>;
const OUT_OF_RANGE = 'API servers refuse every pod with a container outside of the range: no new pod is created';
const proxyResources = ({ namespace }: { namespace: string }) =>
  `config.linkerd.io/proxy-cpu-request, -cpu-limit, -memory-request and -memory-limit of the namespace (proxy of meshing.namespace('${namespace}')); or proxy.resources in the values of the control plane`;
const setInRange = ({ namespace }: { namespace: string }) => `set amounts that fit: ${proxyResources({ namespace })}`;

const isOfAnotherRelease = ({ component, other, own }: Record<'component' | 'other' | 'own', string>) =>
  `${component} is ${other}, but the control plane is of ${own}`;
const REMOVE_IMAGE = ({ own }: { own: string }) => `remove it, or use the image of ${own}`;

/** Findings about releases of Linkerd, and about its objects, ports and chart versions. */
export const LINKERD_FINDINGS = catalogue({
  'object-unchecked': {
    severity: 'error',
    what: ({ subject, exception }: { subject: string; exception: string }) =>
      `Checking ${subject} failed: ${exception}`,
    why: 'It is unknown whether the API server accepts it',
    fix: 'write the object as the API of its kind describes',
  },
  'version-not-served': {
    severity: 'error',
    what: ({ object, apiVersion, release, served }: Record<'object' | 'apiVersion' | 'release' | 'served', string>) =>
      `${object} has apiVersion ${apiVersion}, but the CRDs of ${release} serve ${served}`,
    why: NOT_SERVED,
    fix: ({ proposed }: { proposed: string }) => `write apiVersion: ${proposed}`,
  },
  'version-not-served/kind': {
    severity: 'error',
    what: ({ object, release, kind }: Record<'object' | 'release' | 'kind', string>) =>
      `${object}: ${release} has no CRD of ${kind}`,
    why: NOT_SERVED,
    fix: 'remove it, or move to a later release of Linkerd',
  },
  'version-unknown': {
    severity: 'error',
    what: ({ product, version }: { product: string; version: string }) =>
      `The version of ${product} is ${version}, which is not a known version`,
    why: 'The library has the charts and values of known releases only',
    fix: ({ known }: { known: string }) => `use ${known}`,
  },
  'version-unknown/linkerd': {
    severity: 'error',
    what: ({ version }: { version: string }) => `The version of Linkerd is ${version}, which is not a known release`,
    why: 'The library has the charts and values of known releases only',
    fix: ({ version, similar }: { version: string; similar: string }) =>
      `write '${similar}', or another release that docs/reference/releases.md lists; if ${version} is a release of Linkerd, render it from its own charts: Release.fromCharts`,
  },
  'version-unknown/copy': {
    severity: 'error',
    what: ({ version }: { version: string }) =>
      `The version of Linkerd is a copy of ${version}, or a release of another installation of cdk8s-linkerd`,
    why: 'It was not validated here, and its charts may differ from the ones that this installation knows',
    fix: 'pass the object that Release.fromCharts returned, or the name of a release; and install cdk8s-linkerd once',
  },
  'release-charts-refused/name': {
    severity: 'error',
    what: ({ version }: { version: string }) => `Release.fromCharts was given the release ${version}`,
    why: 'The tags of images, and the versions of charts, are derived from its name: none of them would exist',
    fix: "write it as Linkerd does: 'edge-26.9.1'",
  },
  'release-charts-refused/versions': {
    severity: 'error',
    what: ({ version, missing }: { version: string; missing: string }) =>
      `Release.fromCharts was given ${version}, but no version of ${missing}`,
    why: 'Only the names of edge releases since edge-24.3.1 determine the versions of their charts',
    fix: "set chartVersions: { 'linkerd-crds': '1.8.0', 'linkerd-control-plane': '1.16.11' }",
  },
  'release-charts-refused/chart': {
    severity: 'error',
    what: ({ chart }: { chart: string }) => `chartVersions names the chart ${chart}`,
    why: 'A release has no such chart, so the version would have no effect',
    fix: ({ known }: { known: string }) => `name one of ${known}`,
  },
  'release-charts-refused/option': {
    severity: 'error',
    what: ({ option, similar }: { option: string; similar?: string | undefined }) =>
      `Release.fromCharts was given the option ${option}${didYouMean(similar)}`,
    why: 'Release.fromCharts has no such option, so it would have no effect',
    fix: ({ known }: { known: string }) => `set only ${known}`,
  },
  'release-charts-refused/proxy-version': {
    severity: 'error',
    what: ({ value }: { value: string }) => `proxyVersion is ${value}, not a string`,
    why: 'The image of the proxy would not exist',
    fix: "write it as a string: 'edge-26.9.1'",
  },
  'component-release-differs/image': {
    severity: 'error',
    what: isOfAnotherRelease,
    why: 'The variables and permissions of these charts fit only images of the same minor version and distribution: with other images, pods may not start, or not reach the control plane',
    fix: REMOVE_IMAGE,
  },
  'image-release-differs': {
    severity: 'warning',
    what: isOfAnotherRelease,
    why: 'A release is tested only with its own images, and if there is no such image, no new pod starts',
    fix: REMOVE_IMAGE,
  },
  'collector-refused': {
    severity: 'error',
    what: ({ path, identity, service }: Record<'path' | 'identity' | 'service', string>) =>
      `values.${path} is the identity of ${identity}, but the pods of Service ${service} have no proxy`,
    why: 'Proxies send traces only to a collector whose own proxy proves this identity: no trace arrives',
    fix: ({ service }: { service: string }) =>
      `annotate the pods of Service ${service} with linkerd.io/inject: enabled (meshing.inject, meshing.namespace)`,
  },
  'collector-refused/identity': {
    severity: 'error',
    what: ({ path, identity, service, own }: Record<'path' | 'identity' | 'service' | 'own', string>) =>
      `values.${path} is the identity of ${identity}, but the pods of Service ${service} have the identity of ${own}`,
    why: 'Proxies send traces only to a collector that proves this identity: no trace arrives',
    fix: ({ path, own }: { path: string; own: string }) =>
      `set serviceAccountName and namespace of ${path} to those of ${own}`,
  },
  'collector-refused/port': {
    severity: 'error',
    what: ({ path, port, service, ports }: { path: string; port: number; service: string; ports: string }) =>
      `values.${path} has the port ${port}, which is not a port of Service ${service} (${ports})`,
    why: 'Nothing listens on this port: no trace arrives',
    fix: 'use a port of the Service, or add this one to the Service',
  },
  'proxy-resources-refused': {
    severity: 'error',
    what: ({ quota, pods, missing }: Record<'quota' | 'pods' | 'missing', string>) =>
      `${quota} limits ${missing}, which the proxies of ${pods} do not set`,
    why: 'Under such a quota API servers refuse every pod with a container that does not set them ("must specify"): no new pod is created',
    fix: ({ namespace }: { namespace: string }) =>
      `set them: ${proxyResources({ namespace })}; or add a LimitRange with defaults that fit`,
  },
  'proxy-resources-refused/minimum': {
    severity: 'error',
    what: ({ range, pods, resource, amount, allowed }: LimitedProxy) =>
      `${range} requires ${allowed} of ${resource} or more, and the proxies of ${pods} request ${amount}`,
    why: OUT_OF_RANGE,
    fix: setInRange,
  },
  'proxy-resources-refused/maximum': {
    severity: 'error',
    what: ({ range, pods, resource, amount, allowed }: LimitedProxy) =>
      `${range} allows ${allowed} of ${resource} at most, and the limit of the proxies of ${pods} is ${amount}`,
    why: OUT_OF_RANGE,
    fix: setInRange,
  },
  'certificate-outlives-issuer/proxies': {
    severity: 'error',
    what: ({
      issuer,
      renewBefore,
      issuanceLifetime,
      clockSkewAllowance,
    }: Record<'issuer' | 'renewBefore' | 'issuanceLifetime' | 'clockSkewAllowance', string>) =>
      `${issuer} is renewed ${renewBefore} before its end, less than ${issuanceLifetime} (identity.issuer.issuanceLifetime) + ${clockSkewAllowance} (identity.issuer.clockSkewAllowance), the lifetime of certificates of proxies`,
    why: 'A proxy that gets its certificate right before the issuer is renewed has a certificate that outlives the issuer: peers reject it once the issuer has expired',
    fix: ({
      issuer,
      proposedDuration,
      proposedRenewBefore,
    }: Record<'issuer' | 'proposedDuration' | 'proposedRenewBefore', string>) =>
      `set duration: ${proposedDuration} and renewBefore: ${proposedRenewBefore} in the spec of ${issuer}`,
  },
  'release-fault/trace-identity': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `Proxies of ${release} expect the trace collector's identity in the domain of the cluster, not in the trust domain (${subject}) (${source})`,
    why: 'The collector never has that identity: no proxy sends traces',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or use the domain of the cluster as the trust domain`,
  },
  'release-fault/external-workload': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `Services of ${release} select ExternalWorkloads of other namespaces, too: ${subject} (${source})`,
    why: 'Clients of the Service connect to a workload that is not one of its endpoints',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or select by labels that no other namespace has`,
  },
  'release-fault/authentication-deleted': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The policy controller of ${release} confuses authentications of the same name when one of them is deleted: ${subject}, and the NetworkAuthentication of that name (${source})`,
    why: 'Until it restarts, the controller forgets the other authentication, or none: clients are refused or still allowed',
    fix: ({ fixed }: Fault) =>
      `move to ${fixed} or later, or give them different names, and restart linkerd-destination after you delete one`,
  },
  'release-fault/foreign-server': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `An opaque Server of ${release} affects pods of other namespaces that have the same labels: ${subject} (${source})`,
    why: 'Clients send opaque traffic to the port of those pods: their requests lose retries, routes and metrics',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or select by labels that no other namespace has`,
  },
  'release-fault/headless-mirrors': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `Service mirrors of ${release} delete mirrored headless Services if another namespace has one of the same name: ${subject} (${source})`,
    why: 'Clients of the mirrored Services lose their endpoints',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later`,
  },
  'release-fault/route-refused': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The policy webhook of ${release} refuses routes with filters that it does not support, such as CORS: ${subject} (${source})`,
    why: 'The API server refuses the route: the sync of its folder fails',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or remove the filter`,
  },
  'release-fault/unscraped': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The Prometheus of ${subject} does not find the metrics ports of the control plane of ${release} (${source})`,
    why: "Dashboards and alerts lack the metrics of the control plane's components",
    fix: ({ fixed }: Fault) => `move to ${fixed} or later`,
  },
  'release-fault/route-watch': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The policy controller of ${release} cannot read routes with filters that it does not support, such as CORS: ${subject} (${source})`,
    why: 'It lists all HTTPRoutes repeatedly, and no change of a route takes effect',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or remove the filter`,
  },
  'release-fault/sidecar-server': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `${release} ignores an opaque Server whose port is named in a native sidecar: ${subject} (${source})`,
    why: 'Clients detect the protocol of the port, which delays or breaks connections of protocols in which the server speaks first',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or use the number of the port`,
  },
  'release-fault/sidecar-host-port': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `${release} does not find host ports of native sidecars: ${subject} (${source})`,
    why: 'Proxies of clients do not recognize connections to the port of the node as connections to a meshed pod',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later`,
  },
  'release-fault/sidecar-opaque': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The injector of ${release} does not find ports of native sidecars by name: ${subject} (${source})`,
    why: 'The opaque port has no effect: proxies detect its protocol',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or use the number of the port`,
  },
  'release-fault/route-timeout': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `${release} ignores timeouts of HTTPRoutes of the Gateway API: ${subject} (${source})`,
    why: 'Requests have no timeout',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or set the annotation timeout.linkerd.io/request`,
  },
  'release-fault/route-timeout-earlier': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `${release} ignores timeouts of HTTPRoutes of the Gateway API: ${subject} (${source})`,
    why: 'Requests have no timeout',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or use a ServiceProfile with timeouts`,
  },
  'release-fault/trace-metadata': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `Traces of proxies of ${release} lack the metadata of their pods (${subject}) (${source})`,
    why: 'Spans cannot be assigned to a workload',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later`,
  },
  'release-fault/federated-leak': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The destination controller of ${release} blocks when clients of a federated Service disconnect: ${subject} (${source})`,
    why: 'Its memory grows until it is restarted',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later`,
  },
  'release-fault/stale-scrapes': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `${release} does not send changes of pods with native sidecars to clients of the port linkerd-admin (${subject}) (${source})`,
    why: 'A Prometheus that connects before the pod is ready is refused with 403 from then on',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later`,
  },
  'release-fault/sidecar-admin': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The policy controller of ${release} does not find the port linkerd-admin of native sidecars: ${subject} (${source})`,
    why: 'The Server has no effect: the default policy decides whether Prometheus can read the metrics of these proxies',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later`,
  },
  'release-fault/authorization-refused': {
    severity: 'warning',
    what: ({ release, subject, source }: Fault) =>
      `The policy webhook of ${release} refuses policies for HTTPRoutes of the Gateway API: ${subject} (${source})`,
    why: 'The API server refuses the policy: the sync of its folder fails',
    fix: ({ fixed }: Fault) => `move to ${fixed} or later, or use HTTPRoute of policy.linkerd.io`,
  },
  'cni-mismatch/exclusive': {
    severity: 'error',
    what: ({ object }: { object: string }) =>
      `${object} makes Cilium the only CNI plugin, and Linkerd's plugin is in the output`,
    why: 'By default Cilium disables the configuration of all other plugins on each node: nothing redirects the traffic of meshed pods, and linkerd-network-validator keeps them from starting',
    fix: 'set cni.exclusive to false in the values of chart cilium',
  },
  'port-refused/range': {
    severity: 'error',
    what: ({ field, text }: { field: string; text: string }) =>
      `${field} is "${text}", neither a port nor a range of ports`,
    why: 'Linkerd reads a range as two port numbers with a hyphen between them, the smaller one first. It ignores any other text, or pods do not start',
    fix: ({ example }: { example: string }) => `write it as "${example}"`,
  },
  // Settings of proxies, as props and as annotations.
  'control-plane-value-refused/inject-mode': {
    severity: 'error',
    what: ({ annotation, mode }: Record<'annotation' | 'mode', string>) => `${annotation} is ${mode}`,
    why: ({ known }: { known: string }) =>
      `The proxy injector accepts only ${known}: pods with another value get no proxy`,
    fix: ({ proposed }: { proposed: string }) => `write ${proposed}`,
  },
  'setting-refused/value': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, which Linkerd does not accept`,
    why: 'The proxy injector ignores it, or creates pods that do not start',
    fix: ({ proposed }: { proposed: string }) => `write ${proposed}`,
  },
  'setting-refused/port-taken': {
    severity: 'error',
    what: ({ field, port, container }: { field: string; port: number; container: string }) =>
      `${field} is ${port}, at which the container ${container} listens`,
    why: 'The containers of a pod share one network: the proxy or the container does not start',
    fix: 'set another port for the proxy',
  },
  'setting-refused/close-wait-timeout': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is set, but proxyInit.runAsRoot of the control plane is not true`,
    why: 'Only root may set the kernel parameter: the injector refuses each pod with this setting, or its init container fails',
    fix: ({ field }: { field: string }) =>
      `set proxyInit.runAsRoot to true in the values of the control plane, or remove ${field}`,
  },
  'setting-refused/close-wait-cni': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is set, but the control plane uses the CNI plugin`,
    why: 'The init container sets this kernel parameter. With the CNI plugin there is no such container, and the setting has no effect',
    fix: ({ field }: { field: string }) => `remove ${field}`,
  },
  'setting-refused/cni-port': {
    severity: 'error',
    what: ({ field, port, own }: { field: string; port: number; own: string }) =>
      `${field} is ${port}, but the CNI plugin redirects traffic to ${own}`,
    why: 'The plugin does not read ports of single pods: all connections that it redirects fail',
    fix: ({ field, direction }: { field: string; direction: string }) =>
      `remove ${field}, or change proxy.ports.${direction} in the values of the control plane and the port of the CNI plugin for all pods`,
  },
  'setting-refused/cpu-ratio': {
    severity: 'error',
    what: ({ field, ratio }: { field: string; ratio: number }) =>
      `${field} is ${ratio}, not a number above 0 and below 1`,
    why: 'The proxy starts threads for this share of the CPUs of its node, and the injector ignores a value that is not a share',
    fix: 'set a number above 0 and below 1: 0.5 for half of the CPUs',
  },
  'control-plane-value-refused/proxy-user': {
    severity: 'error',
    what: ({ path, value }: { path: string; value: number }) =>
      `${path} is ${value}, not a user that proxies can run as`,
    why: 'A proxy does not run as root, and traffic of its user is not redirected: no container may have the same user. Kubernetes accepts only whole numbers',
    fix: ({ path, most }: { path: string; most: number }) =>
      `set ${path} to a whole number from 1 to ${most} that no container of the pods runs as, or remove it`,
  },
  'setting-unsupported': {
    severity: 'error',
    what: isUnsupported,
    why: IGNORED,
    fix: 'remove it, or use a newer release of Linkerd',
  },
  'setting-unsupported/init-image': {
    severity: 'error',
    what: isUnsupported,
    why: IGNORED,
    fix: 'remove it: the init container runs the image of the proxy, proxy.image',
  },
  'setting-unsupported/cpu-ratio': {
    severity: 'error',
    what: isUnsupported,
    why: IGNORED,
    fix: 'set proxy.cpu.limit instead',
  },
  'setting-unsupported/pod-ports': {
    severity: 'error',
    what: isUnsupported,
    why: IGNORED,
    fix: 'remove it: the injector reads the ports of the containers (containerPort)',
  },
  'setting-unsupported/native-sidecar': {
    severity: 'error',
    what: isUnsupported,
    why: IGNORED,
    fix: 'remove it: native sidecars exist since 2.15. For Jobs, use linkerdAwait',
  },
  'setting-unsupported/audit': {
    severity: 'error',
    what: isUnsupported,
    why: IGNORED,
    fix: "use 'all-unauthenticated', which also allows all clients",
  },
  'setting-unsupported/sidecar-key': {
    severity: 'error',
    what: isUnsupported,
    why: IGNORED,
    fix: 'inject the workload by a construct, which writes the annotation of the release, or see the annotation in the documentation of that release',
  },
  'request-over-limit/annotations': {
    severity: 'error',
    what: ({ field, request, limitField, limit }: Record<'field' | 'request' | 'limitField' | 'limit', string>) =>
      `${field} is ${request}, more than ${limitField} of ${limit}`,
    why: 'Kubernetes refuses every pod with such a container',
    fix: ({ limitField, request }: { limitField: string; request: string }) =>
      `set ${limitField} to ${request} or more, or lower the request`,
  },
  'annotation-unknown': {
    severity: 'error',
    what: ({ annotation }: { annotation: string }) => `The annotation ${annotation} is not one that Linkerd reads`,
    why: 'Linkerd ignores it: the pods keep the default',
    fix: ({ similar }: { similar: string }) => `write ${similar}`,
  },
  'annotation-unknown/label': {
    severity: 'error',
    what: ({ label }: { label: string }) => `The label ${label} is not one that Linkerd reads`,
    why: 'Linkerd ignores it',
    fix: ({ similar }: { similar: string }) => `write ${similar}`,
  },
  'annotation-misplaced/label': {
    severity: 'error',
    what: ({ key }: { key: string }) => `${key} is a label, and Linkerd reads it as an annotation`,
    why: 'Linkerd ignores labels of that name',
    fix: ({ key, value }: { key: string; value: string }) => `move it to metadata.annotations: ${key}: ${value}`,
  },
  'annotation-misplaced/annotation': {
    severity: 'error',
    what: ({ key }: { key: string }) => `${key} is an annotation, and Linkerd reads it as a label`,
    why: 'Linkerd selects objects by their labels, and ignores annotations of that name',
    fix: ({ key, value }: { key: string; value: string }) => `move it to metadata.labels: ${key}: ${value}`,
  },
  'annotation-without-effect': {
    severity: 'warning',
    what: ({ annotation, object }: Record<'annotation' | 'object', string>) =>
      `${object} has the annotation ${annotation}, which no known release of Linkerd reads`,
    why: 'It has no effect, unless a later release or another product reads it',
    fix: 'correct its name, or remove it',
  },
  'annotation-without-effect/object': {
    severity: 'warning',
    what: ({ annotation, object }: Record<'annotation' | 'object', string>) =>
      `${object} itself has the annotation ${annotation}`,
    why: ({ places }: { places: string }) => `Linkerd reads it only on ${places}: here it has no effect`,
    fix: ({ place }: { place: string }) => `move it to ${place}`,
  },
});
