import type { X509Certificate } from 'node:crypto';
import { canonicalJson } from '../../../api/canonical-json';
import { ALL_INJECTORS } from '../../../api/injection/injector';
import type { Problem } from '../../../api/kubernetes/problem';
import type { Values } from '../../../api/kubernetes/values-merge';
import { WEBHOOK_FINDINGS } from '../../../api/webhooks/findings';
import { checkAnchors } from '../checks/check-anchors';
import { checkGivenValues, checkValuesChange } from '../checks/check-injection-change';
import { checkPrivateKeys } from '../checks/check-private-keys';
import { rivals } from '../objects/acceptance';
import type { LinkerdConfig } from '../objects/linkerd-config';
import { trustAnchorsOf } from '../values/effective-values';

/** A change of a LinkerdConfig that somebody asks for. */
export interface ConfigRequest {
  readonly config: LinkerdConfig;
  /** The LinkerdConfig as it is; absent where it is new. */
  readonly old?: LinkerdConfig;
}

/** The state of the cluster that matters for a request. */
export interface RequestEvidence {
  readonly configs: readonly LinkerdConfig[];
  /** The chain of the certificate that issues identities; undefined where there is none yet. */
  readonly issuer: readonly X509Certificate[] | undefined;
  /** The values of the installation; undefined where there is none, or none that could be read. */
  readonly installed: Values | undefined;
  readonly now: Date;
}

/** Tells whether a request changes the trust anchors, so that what is known of the issuer matters. */
export function changesAnchors({ config, old }: ConfigRequest): boolean {
  const anchors = trustAnchorsOf(config.spec.values ?? {});
  return anchors !== undefined && anchors !== trustAnchorsOf(old?.spec.values ?? {});
}

/** Keys of values about which the installation has a say. The injector needs no more of trust anchors than text. */
const BESIDE_INSTALLED = [...new Set(ALL_INJECTORS.flatMap(({ types }) => Object.keys(types)))].filter(
  (key) => key !== 'identityTrustAnchorsPEM',
);

/** Tells whether a request changes values that the injector may fail on, so that what is installed matters. */
export function changesInjection({ config, old }: ConfigRequest): boolean {
  const [wanted, present] = [config.spec.values ?? {}, old?.spec.values ?? {}];
  return BESIDE_INSTALLED.some((key) => canonicalJson(wanted[key]) !== canonicalJson(present[key]));
}

/**
 * Checks a request by what the CustomResourceDefinition cannot see. Values that do not change are not checked again, so
 * that a LinkerdConfig whose anchors expired meanwhile can still be changed elsewhere.
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
