import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { withoutNulls } from '../chart-view';
import {
  checkControlPlaneNamespace,
  checkImageVersions,
  checkMissingMaps,
  checkMissingTexts,
  checkNullLabels,
} from '../missing-values';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { checkPrivateKeys } from '../private-keys';
import { checkServingCertificate } from '../serving-certificates';
import { jaegerView } from './jaeger-view';

/** The templates always read them. */
const MAPS = ['collector', 'jaeger', 'namespaceMetadata', 'namespaceMetadata.image', 'webhook', 'webhook.image'];

/**
 * Checks that the Jaeger extension can be rendered: reports what the official chart refuses, and private keys that
 * would be in Git.
 *
 * @param values - all values of the chart, as for `renderJaeger`
 */
export function checkJaegerRender(values: Values): readonly Problem[] {
  const given = withoutNulls(values);
  const view = jaegerView(given);
  const parts = (['collector', 'jaeger'] as const).filter((part) => view[part].enabled);
  const structure = [
    ...checkMissingMaps(given, [...MAPS, ...parts.map((part) => `${part}.image`)]),
    ...checkControlPlaneNamespace(view),
  ];
  if (structure.length > 0) return structure;
  return [
    ...checkMissingTexts(given, parts.includes('collector') ? ['collector.config'] : []),
    ...checkImageVersions(
      given,
      [],
      ['namespaceMetadata.image.tag', 'webhook.image.version', ...parts.map((part) => `${part}.image.version`)],
    ),
    ...checkNullLabels(values),
    ...checkServingCertificate('webhook', view.webhook),
    ...checkPodSecurityPolicy(given),
    ...checkPrivateKeys(given),
  ];
}
