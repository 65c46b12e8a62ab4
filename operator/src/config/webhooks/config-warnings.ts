import { componentValuesIn } from '../../../api/component-values';
import type { LinkerdConfig } from '../objects/linkerd-config';
import { trustAnchorsOf } from '../values/effective-values';

/**
 * Returns warnings about settings of a LinkerdConfig without effect, each short enough to be delivered whole: 256
 * characters.
 *
 * @param servedNamespace - the control plane namespace for which the operator has permissions
 * @param linkerdVersion - the release of the control plane in its values, if known
 */
export function configWarnings(
  { spec }: Pick<LinkerdConfig, 'spec'>,
  servedNamespace: string,
  linkerdVersion?: unknown,
): readonly string[] {
  const { controlPlaneNamespace, values = {} } = spec;
  const unserved = `the operator serves the control plane in ${servedNamespace}, not in ${controlPlaneNamespace}`;
  return [
    ...(controlPlaneNamespace === servedNamespace ? [] : [unserved]),
    ...(trustAnchorsOf(values) === undefined ? [] : [ANCHORS_REACH_NO_PROXY]),
    ...configValuesUnused(componentValuesIn(values, linkerdVersion)),
  ];
}

const NAMED = 4;

function configValuesUnused(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return [
    `no Deployment of the control plane follows spec.values.{${paths.slice(0, NAMED).join(',')}}${more}: set them where Linkerd is installed`,
  ];
}

/** The injector replaces the value with its mounted file before using it (linkerd2, proxy-injector/webhook.go). */
const ANCHORS_REACH_NO_PROXY =
  'spec.values.identityTrustAnchorsPEM does not reach proxies where the injector mounts the ConfigMap ' +
  'linkerd-identity-trust-roots: it gives them those anchors. Change that ConfigMap, or what it is made from';
