import { INBOUND_POLICIES, INIT_IMAGE, INJECTED_VALUES, RESOURCES } from './injected-values';
import { bothOf, checkPlainText, checkSocketAddress, checkWord } from './text-forms';
import { BOOLEAN, fields, needed, TEXT, textOf, type ValueTypes, withTypes } from './value-type';

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

/** An address that templates write without quotes: it must not be empty, or one of IPv6, which begins with `[`. */
const address = needed(textOf(bothOf(checkSocketAddress, checkPlainText)));

/** The types of 2.14. */
export const STABLE_2_14_10: ValueTypes = withTypes(EDGE_25_11_2, {
  controlPlaneTracing: BOOLEAN,
  controlPlaneTracingNamespace: TEXT,
  controller: undefined,
  controllerGID: undefined,
  destinationController: undefined,
  disableIPv6: undefined,
  egress: undefined,
  heartbeat: undefined,
  'identity.additionalEnv': undefined,
  'identity.experimentalEnv': undefined,
  'identity.podAnnotations': undefined,
  'networkValidator.connectAddr': address,
  'networkValidator.enableSecurityContext': BOOLEAN,
  'networkValidator.listenAddr': address,
  'networkValidator.securityContext': undefined,
  'policyController.image': fields({ name: TEXT, pullPolicy: TEXT, version: TEXT }),
  'proxy.additionalEnv': undefined,
  'proxy.control': undefined,
  'proxy.defaultInboundPolicy': textOf(checkWord(...INBOUND_POLICIES)),
  'proxy.enableShutdownEndpoint': undefined,
  'proxy.experimentalEnv': undefined,
  'proxy.gid': undefined,
  'proxy.inbound': undefined,
  'proxy.livenessProbe': undefined,
  'proxy.logHTTPHeaders': undefined,
  'proxy.metrics': undefined,
  'proxy.nativeSidecar': undefined,
  'proxy.outbound': undefined,
  'proxy.outboundTransportMode': undefined,
  'proxy.readinessProbe': undefined,
  'proxy.runtime': undefined,
  'proxy.securityContext': undefined,
  'proxy.startupProbe': undefined,
  'proxy.tracing': undefined,
  // Those of the init container and of the network validator, which share the proxy's in later releases.
  'proxyInit.resources': needed(RESOURCES),
  'proxyInit.runAsGroup': undefined,
  'proxyInjector.additionalEnv': undefined,
  'proxyInjector.experimentalEnv': undefined,
  'proxyInjector.podAnnotations': undefined,
  revisionHistoryLimit: undefined,
  spValidator: undefined,
});
