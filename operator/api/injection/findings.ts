import { catalogue } from '../kubernetes/catalogue';

/** Findings about values that the proxy injector and Linkerd's charts read. */
export const INJECTION_FINDINGS = catalogue({
  'private-key-found/values': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} holds a private key`,
    why: 'Everyone who can read the values, in Git, in a LinkerdConfig or in the ConfigMap of the control plane, would have the key',
    fix: ({ path }: { path: string }) =>
      `remove ${path}, and let cert-manager or another tool create the key in the cluster and renew it; replace a key that was published`,
  },
  'injected-value-refused/invalid': {
    severity: 'error',
    what: ({ field, value, expected }: Record<'field' | 'value' | 'expected', string>) =>
      `${field} is ${value}, not ${expected}`,
    why: ({ consequence }: { consequence: string }) => consequence,
    fix: ({ field, expected }: { field: string; expected: string }) => `set ${field} to ${expected}`,
  },
  'injected-value-refused/root': {
    severity: 'error',
    what: ({ path }: { path: string }) => `values.${path}.runAsUser is 0, but ${path}.runAsNonRoot is true`,
    why: 'Kubelets refuse to start a container as root that must not run as root',
    fix: 'set runAsUser to another user',
  },
  'injected-value-refused/privileges': {
    severity: 'error',
    what: ({ path }: { path: string }) =>
      `values.${path}.privileged is true, but ${path}.allowPrivilegeEscalation is false`,
    why: 'Kubernetes refuses every pod with such a container',
    fix: 'remove one of them',
  },
  'injected-value-refused/seccomp-profile': {
    severity: 'error',
    what: ({ path, state, type }: { path: string; state: string; type: string }) =>
      `values.${path}.localhostProfile is ${state}, but ${path}.type is ${type}`,
    why: 'Kubernetes refuses every pod with such a container: localhostProfile is required for type Localhost, and forbidden for any other type',
    fix: 'set both type: "Localhost" and localhostProfile, or neither',
  },
  'injected-value-refused/variable': {
    severity: 'error',
    what: ({ field, fault }: { field: string; fault: string }) => `${field} has ${fault}`,
    why: 'Kubernetes refuses every pod that the proxy is injected into',
    fix: 'name it with letters, digits and "_", and give it either value or valueFrom',
  },
  'injected-value-refused/token-mount': {
    severity: 'error',
    what: 'values.proxy.saMountPath is set',
    why: "The proxy injector takes it from each pod, as the mount of the pod's service account token: as a value, it would mount a volume that pods do not have",
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
    why: 'Only root may set the kernel parameter nf_conntrack_tcp_timeout_close_wait: pods do not start',
    fix: 'set proxyInit.runAsRoot to true, or remove closeWaitTimeoutSecs',
  },
  'injected-value-refused/ports-equal': {
    severity: 'error',
    what: ({ fields, port }: { fields: string; port: number }) => `${fields} are both ${port}`,
    why: 'The proxy listens on each of its ports, and does not start if one is already in use',
    fix: 'set each to a port of its own',
  },
  'injected-value-missing/value': {
    severity: 'error',
    what: ({ path, value }: { path: string; value: string }) => `values.${path} is ${value}`,
    why: 'The chart and the proxy injector use it unconditionally: they fail or render broken objects, and no pod can be meshed',
    fix: ({ path, expected }: { path: string; expected: string }) =>
      `remove ${path} from values, which restores its default, or set it to ${expected}`,
  },
  'injected-value-missing/map': {
    severity: 'error',
    what: ({ path, value }: { path: string; value: string }) => `values.${path} is ${value}, not a map`,
    why: ({ consequence }: { consequence: string }) => consequence,
    fix: ({ path }: { path: string }) => `remove ${path} from values, and set single keys in it`,
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
    fix: 'remove it from the LinkerdConfig; set the version of proxies with proxy.image.version',
  },
});
