import { catalogue } from '#base/findings/catalogue';

const isNotExpected = ({ field, value, expected }: Record<'field' | 'value' | 'expected', string>) =>
  `${field} is ${value}, not ${expected}`;
const setToExpected = ({ field, expected }: { field: string; expected: string }) => `set ${field} to ${expected}`;

const isNoMap = ({ path, value }: { path: string; value: string }) => `values.${path} is ${value}, not a map`;
const writeMap = ({ path }: { path: string }) =>
  `write ${path} as a map with only the keys that you change, or remove it from values`;

/** Findings about values that the proxy injector and Linkerd's charts read. */
export const INJECTION_FINDINGS = catalogue({
  'private-key-found/values': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} holds a private key`,
    why: 'Everyone who can read the values, in Git, in a LinkerdConfig or in the ConfigMap of the control plane, would have the key',
    fix: ({ path }: { path: string }) =>
      `remove ${path}, and let cert-manager or another tool create the key in the cluster and renew it; replace a key that was published`,
  },
  'injected-value-refused/type': {
    severity: 'error',
    what: isNotExpected,
    why: 'The injector cannot parse any of its values, and can no longer mesh any pod',
    fix: setToExpected,
  },
  'injected-value-refused/range': {
    severity: 'error',
    what: isNotExpected,
    why: 'The injector cannot read it, Kubernetes refuses the pods, or their proxies do not start',
    fix: setToExpected,
  },
  'injected-value-refused/text': {
    severity: 'error',
    what: isNotExpected,
    why: 'The injector writes it into pods unchanged: it could mesh no pod, nodes would not start the pods, or proxies would ignore it',
    fix: setToExpected,
  },
  'injected-value-refused/socket-address': {
    severity: 'error',
    what: isNotExpected,
    why: 'With the CNI plugin, each pod first runs the network validator, which cannot parse it: no meshed pod starts',
    fix: setToExpected,
  },
  'injected-value-refused/header-logs': {
    severity: 'error',
    what: isNotExpected,
    why: 'Proxies log HTTP headers, with all the secrets in them, or do not. The chart refuses any other value: Helm fails, and the proxy injector fails for every pod',
    fix: setToExpected,
  },
  'injected-value-refused/iptables-mode': {
    severity: 'error',
    what: isNotExpected,
    why: 'The init container has only the tools of nftables and of legacy iptables',
    fix: setToExpected,
  },
  'injected-value-refused/root': {
    severity: 'error',
    what: ({ path }: { path: string }) => `values.${path}.runAsUser is 0, but ${path}.runAsNonRoot is true`,
    why: 'Kubelets refuse to start a container with runAsNonRoot as root',
    fix: 'set runAsUser to another user',
  },
  'injected-value-refused/privileges': {
    severity: 'error',
    what: ({ path }: { path: string }) =>
      `values.${path}.privileged is true, but ${path}.allowPrivilegeEscalation is false`,
    why: 'Kubernetes refuses every pod with such a container',
    fix: 'remove one of the two',
  },
  'injected-value-refused/profile-missing': {
    severity: 'error',
    what: ({ path }: { path: string }) => `values.${path}.type is "Localhost", but ${path}.localhostProfile is not set`,
    why: 'Kubernetes refuses every pod with such a container',
    fix: ({ path }: { path: string }) => `set ${path}.localhostProfile to the path of the profile on the nodes`,
  },
  'injected-value-refused/profile-unused': {
    severity: 'error',
    what: ({ path, type }: { path: string; type: string }) =>
      `values.${path}.localhostProfile is set, but ${path}.type is ${type}`,
    why: 'Kubernetes refuses every pod with such a container: only profiles of type Localhost have a path',
    fix: ({ path }: { path: string }) => `set ${path}.type to "Localhost", or remove localhostProfile`,
  },
  'injected-value-refused/variable': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} has no name, or an invalid one`,
    why: 'Kubernetes refuses every pod that the proxy is injected into',
    fix: 'name it with letters, digits and "_"',
  },
  'injected-value-refused/variable-value': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} has both value and valueFrom`,
    why: 'Kubernetes refuses every pod that the proxy is injected into',
    fix: 'keep one of the two',
  },
  'injected-value-refused/token-mount': {
    severity: 'error',
    what: 'values.proxy.saMountPath is set',
    why: "The proxy injector copies the mount of each pod's service account token. A value would mount a volume that pods do not have",
    fix: 'remove proxy.saMountPath from values',
  },
  'injected-value-refused/native-sidecar': {
    severity: 'error',
    what: ({ seconds }: { seconds: string }) =>
      `values.proxy.waitBeforeExitSeconds is ${seconds}, but proxy.nativeSidecar is true`,
    why: 'A native sidecar stops after all other containers, so this release refuses a wait: Helm fails, and the proxy injector fails for every pod',
    fix: 'remove proxy.waitBeforeExitSeconds, or set proxy.nativeSidecar to false',
  },
  'injected-value-refused/init-wait': {
    severity: 'error',
    what: ({ seconds }: { seconds: string }) =>
      `values.proxyInit.closeWaitTimeoutSecs is ${seconds}, but proxyInit.runAsRoot is not true`,
    why: 'Only root may set the kernel parameter nf_conntrack_tcp_timeout_close_wait: Helm fails, and the proxy injector fails for every pod',
    fix: 'set proxyInit.runAsRoot to true, or remove closeWaitTimeoutSecs',
  },
  'injected-value-refused/ports-equal': {
    severity: 'error',
    what: ({ fields, port }: { fields: string; port: number }) => `${fields} are both ${port}`,
    why: 'The proxy listens on each of its ports, and does not start if one is already in use',
    fix: 'set each to a different port',
  },
  'injected-value-missing/value': {
    severity: 'error',
    what: ({ path, value }: { path: string; value: string }) => `values.${path} is ${value}, which must not be empty`,
    why: 'The templates of the chart, or those of the proxy injector, use it unconditionally: they fail, or render broken objects',
    fix: ({ path, expected }: { path: string; expected: string }) =>
      `remove ${path} from values, which restores its default, or set it to ${expected}`,
  },
  'injected-value-missing/map': {
    severity: 'error',
    what: isNoMap,
    why: 'The injector reads it for each pod that it meshes: it could no longer mesh any',
    fix: writeMap,
  },
  'injected-value-missing/map-of-chart': {
    severity: 'error',
    what: isNoMap,
    why: 'The templates always read it: the chart fails, and nothing is rendered',
    fix: writeMap,
  },
  'injected-value-missing/trace-collector': {
    severity: 'error',
    what: ({ enabled, endpoints }: { enabled: string; endpoints: string }) =>
      `values.${enabled} is true, but no collector is set by ${endpoints}`,
    why: 'The chart refuses tracing without a collector: Helm fails, and the proxy injector fails for every pod',
    fix: ({ endpoints }: { endpoints: string }) => `set ${endpoints} to <service>.<namespace>:<OTLP gRPC port>`,
  },
  'injected-value-missing/trace-identity': {
    severity: 'error',
    what: ({ path, missing }: { path: string; missing: string }) =>
      `values.proxy.tracing.enabled is true, but ${path} has no ${missing}`,
    why: 'Proxies send traces over mTLS only, to a collector whose identity is configured',
    fix: ({ fields }: { fields: string }) => `set ${fields} to the service account of the collector`,
  },
  'release-in-config': {
    severity: 'error',
    what: ({ version, release }: { version: string; release: string }) =>
      `values.linkerdVersion is ${version}, but the control plane is ${release}`,
    why: 'Pods would get proxies of another release than the control plane, or of one that does not exist',
    fix: 'remove linkerdVersion from the LinkerdConfig; set the version of proxies with proxy.image.version',
  },
});
