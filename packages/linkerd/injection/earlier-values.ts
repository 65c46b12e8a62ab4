import { INBOUND_POLICIES, INIT_IMAGE, INJECTED_VALUES, RESOURCES } from './injected-values';
import { bothOf, checkPlainText, checkSocketAddress, checkWord } from './text-forms';
import {
  ANYTHING,
  BOOLEAN,
  fields,
  mapOf,
  needed,
  TEXT,
  textOf,
  type ValueTypes,
  whole,
  withTypes,
} from './value-type';

// The types of values in earlier injectors, as differences from the release after them: `undefined` is a value that an
// injector has no type for, and ignores. Source: linkerd2, pkg/charts/linkerd2/values.go, charts/patch and
// charts/partials of the last release of each group.

/** The types from edge-25.11.3 to edge-26.5.1. */
export const EDGE_26_5_1: ValueTypes = withTypes(INJECTED_VALUES, {
  'podMonitor.controller.honorTimestamps': undefined,
  'podMonitor.proxy.honorTimestamps': undefined,
  'podMonitor.serviceMirror.honorTimestamps': undefined,
});

/** The types up to edge-25.11.2, whose init containers use a separate image. */
export const EDGE_25_11_2: ValueTypes = withTypes(EDGE_26_5_1, { 'proxyInit.image': needed(INIT_IMAGE) });

/** An address that templates write without quotes: it must not be empty or an IPv6 address, which begins with `[`. */
const address = needed(textOf(bothOf(checkSocketAddress, checkPlainText)));

/** The types of 2.18. */
export const EDGE_25_4_4: ValueTypes = withTypes(EDGE_25_11_2, {
  controlPlaneTracing: BOOLEAN,
  controlPlaneTracingNamespace: TEXT,
  // Later injectors read it as text and accept percentages.
  'controller.podDisruptionBudget.maxUnavailable': whole(0, 2 ** 31 - 1),
  'controller.tracing': undefined,
  'networkValidator.enableSecurityContext': BOOLEAN,
  'networkValidator.securityContext': undefined,
  'policyController.image': fields({ name: TEXT, pullPolicy: TEXT, version: TEXT }),
  'proxy.securityContext': undefined,
  'proxy.tracing': undefined,
});

/** The types of 2.16 and 2.17. */
export const EDGE_24_11_8: ValueTypes = withTypes(EDGE_25_4_4, {
  destinationController: mapOf(ANYTHING),
  'identity.podAnnotations': undefined,
  'proxy.metrics': undefined,
  'proxy.outboundTransportMode': undefined,
  'proxy.runtime': undefined,
  'proxyInjector.podAnnotations': undefined,
});

/** The types of 2.15. */
export const EDGE_24_2_4: ValueTypes = withTypes(EDGE_24_11_8, {
  controller: undefined,
  controllerGID: undefined,
  destinationController: undefined,
  disableIPv6: undefined,
  egress: undefined,
  heartbeat: undefined,
  'identity.additionalEnv': undefined,
  'identity.experimentalEnv': undefined,
  'networkValidator.connectAddr': address,
  'networkValidator.listenAddr': address,
  'proxy.defaultInboundPolicy': textOf(checkWord(...INBOUND_POLICIES)),
  'proxy.enableShutdownEndpoint': undefined,
  'proxy.gid': undefined,
  'proxy.inbound': undefined,
  'proxy.logHTTPHeaders': undefined,
  'proxy.outbound': undefined,
  // Resources of the init container and of the network validator, which use the proxy's in later releases.
  'proxyInit.resources': needed(RESOURCES),
  'proxyInit.runAsGroup': undefined,
  'proxyInjector.additionalEnv': undefined,
  'proxyInjector.experimentalEnv': undefined,
  revisionHistoryLimit: undefined,
  spValidator: undefined,
});

/** The types of 2.14. */
export const STABLE_2_14_10: ValueTypes = withTypes(EDGE_24_2_4, {
  'proxy.additionalEnv': undefined,
  'proxy.control': undefined,
  'proxy.experimentalEnv': undefined,
  'proxy.livenessProbe': undefined,
  'proxy.nativeSidecar': undefined,
  'proxy.readinessProbe': undefined,
  'proxy.startupProbe': undefined,
});
