import type { ChartName } from '#lib/cli/chart-names';

const INJECTED =
  'For the pods that the injector injects, which reads it from the copy of all values; the proxies of the control plane have their own.';
const SECRET = 'Part of a Secret that the chart would print: refused, or not used where cert-manager keeps it.';
const NOWHERE = 'No template of the chart reads it.';
const POLICIES = 'Refused when true; false is what all bases have.';
const PROXY = 'The chart has annotations for CPU and memory of these proxies only.';
const ANCHOR = 'An anchor in values-ha.yaml, for the resources of each component.';
const TEMPLATE = 'An anchor in values.yaml, for values that have defaults of their own.';

/** Values that change no object but the copy of all values that the injector reads, and why. */
export const UNREAD: Readonly<Record<ChartName, Readonly<Record<string, string>>>> = {
  'linkerd-control-plane': {
    'kubeAPI.clientQPS': TEMPLATE,
    'kubeAPI.clientBurst': TEMPLATE,
    'policyController.additionalEnv': NOWHERE,
    'policyController.experimentalEnv': NOWHERE,
    'proxy.outboundDiscoveryCacheUnusedTimeout': INJECTED,
    'proxy.inboundDiscoveryCacheUnusedTimeout': INJECTED,
    'proxy.waitBeforeExitSeconds': INJECTED,
    'proxy.capabilities.add': INJECTED,
    'proxy.capabilities.drop': INJECTED,
    'proxyInit.ignoreOutboundPorts': INJECTED,
    enablePSP: POLICIES,
    'debugContainer.image.name': INJECTED,
    'debugContainer.image.pullPolicy': INJECTED,
    'debugContainer.image.version': INJECTED,
    'identity.issuer.tls.crtPEM': SECRET,
    'identity.issuer.tls.keyPEM': SECRET,
    'identity.additionalArgs': NOWHERE,
    'identity.experimentalArgs': NOWHERE,
    'proxyInjector.externalSecret': SECRET,
    'proxyInjector.crtPEM': SECRET,
    'proxyInjector.keyPEM': SECRET,
    'proxyInjector.podAnnotations': "The chart gives the injector's pods the annotations of identity's.",
    'proxyInjector.additionalArgs': NOWHERE,
    'proxyInjector.experimentalArgs': NOWHERE,
    'profileValidator.externalSecret': SECRET,
    'profileValidator.crtPEM': SECRET,
    'profileValidator.keyPEM': SECRET,
    'policyValidator.externalSecret': SECRET,
    'policyValidator.crtPEM': SECRET,
    'policyValidator.keyPEM': SECRET,
    'spValidator.additionalArgs': NOWHERE,
    'spValidator.experimentalArgs': NOWHERE,
    highAvailability: NOWHERE,
    'controllerResources.cpu.limit': ANCHOR,
    'controllerResources.cpu.request': ANCHOR,
    'controllerResources.memory.limit': ANCHOR,
    'controllerResources.memory.request': ANCHOR,
    'controllerResources.ephemeral-storage.limit': ANCHOR,
    'controllerResources.ephemeral-storage.request': ANCHOR,
    'heartbeat.podAnnotations': NOWHERE,
  },
  'linkerd-viz': {
    enablePSP: POLICIES,
    'metricsAPI.proxy.resources.ephemeral-storage.limit': PROXY,
    'metricsAPI.proxy.resources.ephemeral-storage.request': PROXY,
    'metricsAPI.proxy.resources.cores': PROXY,
    'tap.externalSecret': SECRET,
    'tap.crtPEM': SECRET,
    'tap.keyPEM': SECRET,
    'tap.proxy.resources.ephemeral-storage.limit': PROXY,
    'tap.proxy.resources.ephemeral-storage.request': PROXY,
    'tap.proxy.resources.cores': PROXY,
    'tapInjector.proxy.resources.ephemeral-storage.limit': PROXY,
    'tapInjector.proxy.resources.ephemeral-storage.request': PROXY,
    'tapInjector.proxy.resources.cores': PROXY,
    'tapInjector.externalSecret': SECRET,
    'tapInjector.crtPEM': SECRET,
    'tapInjector.keyPEM': SECRET,
    'dashboard.proxy.resources.ephemeral-storage.limit': PROXY,
    'dashboard.proxy.resources.ephemeral-storage.request': PROXY,
    'dashboard.proxy.resources.cores': PROXY,
    'prometheus.proxy.resources.ephemeral-storage.limit': PROXY,
    'prometheus.proxy.resources.ephemeral-storage.request': PROXY,
    'prometheus.proxy.resources.cores': PROXY,
    'resources.cpu.limit': ANCHOR,
    'resources.cpu.request': ANCHOR,
    'resources.memory.limit': ANCHOR,
    'resources.memory.request': ANCHOR,
    'resources.ephemeral-storage.limit': ANCHOR,
    'resources.ephemeral-storage.request': ANCHOR,
  },
  'linkerd2-cni': {
    enablePSP: POLICIES,
  },
};
