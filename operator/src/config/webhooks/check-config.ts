import type { X509Certificate } from 'node:crypto';
import { canonicalJson } from '#base/canonical-json';
import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { ALL_INJECTORS } from '#linkerd/injection/injector';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { checkAnchors } from '../checks/check-anchors';
import { checkGivenValues, checkValuesChange } from '../checks/check-injection-change';
import { checkPrivateKeys } from '../checks/check-private-keys';
import { rivals } from '../objects/acceptance';
import type { LinkerdConfig } from '../objects/linkerd-config';
import { trustAnchorsOf } from '../values/effective-values';

/** A requested change of a LinkerdConfig. */
export interface ConfigRequest {
  readonly config: LinkerdConfig;
  /** The current LinkerdConfig; absent for a new one. */
  readonly old?: LinkerdConfig;
}

/** The state of the cluster that matters to a request. */
export interface RequestEvidence {
  readonly configs: readonly LinkerdConfig[];
  /** The chain of the certificate that issues identities; undefined if none exists yet. */
  readonly issuer: readonly X509Certificate[] | undefined;
  /** The values of the installation; undefined if they are missing or unreadable. */
  readonly installed: Values | undefined;
  readonly now: Date;
}

/** Whether a request changes the trust anchors, so the issuer matters. */
export function changesAnchors({ config, old }: ConfigRequest): boolean {
  const anchors = trustAnchorsOf(config.spec.values ?? {});
  return anchors !== undefined && anchors !== trustAnchorsOf(old?.spec.values ?? {});
}

/** Keys of values for which the installation matters. The injector requires only that trust anchors are text. */
const BESIDE_INSTALLED = [...new Set(ALL_INJECTORS.flatMap(({ types }) => Object.keys(types)))].filter(
  (key) => key !== 'identityTrustAnchorsPEM',
);

/** Whether a request changes values that the injector may fail on, so the installation matters. */
export function changesInjection({ config, old }: ConfigRequest): boolean {
  const [wanted, present] = [config.spec.values ?? {}, old?.spec.values ?? {}];
  return BESIDE_INSTALLED.some((key) => canonicalJson(wanted[key]) !== canonicalJson(present[key]));
}

/**
 * Checks a request for what the CustomResourceDefinition cannot check. Unchanged values are not checked again, so that
 * other fields of a LinkerdConfig with expired anchors can still be changed.
 */
export function checkConfig(
  request: ConfigRequest,
  { configs, issuer, installed, now }: RequestEvidence,
): readonly Problem[] {
  const { config, old } = request;
  const values = { wanted: config.spec.values, old: old?.spec.values };
  const anchors = changesAnchors(request) ? trustAnchorsOf(config.spec.values ?? {}) : undefined;
  return [
    ...(old === undefined ? checkRivals(config, configs) : []),
    ...checkPrivateKeys(config.spec.values),
    ...(anchors === undefined ? [] : checkAnchors(anchors, issuer, now)),
    ...(installed === undefined ? checkGivenValues(values) : checkValuesChange(values, installed)),
  ];
}

function checkRivals(config: LinkerdConfig, configs: readonly LinkerdConfig[]): readonly Problem[] {
  const { controlPlaneNamespace, configMapName } = config.spec;
  const configMap = `${controlPlaneNamespace}/${configMapName}`;
  return rivals(config, configs).map(({ metadata: { name } }) =>
    WEBHOOK_FINDINGS.secondLinkerdConfig({ name, configMap }),
  );
}
