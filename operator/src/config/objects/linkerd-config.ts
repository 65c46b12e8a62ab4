import type { Condition } from '#base/conditions';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import type { LinkerdConfigSpec } from '#operator/api/linkerd-config';
import { CONFIG_GROUP } from '#operator/api/names';
import type { PropagationReport } from '../../propagation/plan/propagation-plan';

/** A trust anchor in a status. */
export interface TrustAnchor {
  readonly subject: string;
  readonly sha256: string;
  readonly notAfter: string;
}

/** The status of a LinkerdConfig. */
export interface LinkerdConfigStatus extends Partial<PropagationReport['status']> {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
  /** Hash of the proxies' part of the configuration that was last applied. */
  readonly configHash?: string;
  /** Hash of all of its values. */
  readonly valuesHash?: string;
  readonly proxyVersion?: string;
  readonly trustAnchors?: readonly TrustAnchor[];
}

/** A LinkerdConfig as read from the API server, with defaults. */
export interface LinkerdConfig extends KubeObject {
  readonly spec: LinkerdConfigSpec;
  readonly status?: LinkerdConfigStatus;
}

/** The resource of LinkerdConfigs. */
export const LINKERD_CONFIGS: Resource = {
  apiVersion: `${CONFIG_GROUP}/v1alpha1`,
  kind: 'LinkerdConfig',
  plural: 'linkerdconfigs',
  namespaced: false,
};

/** The fields of a ConfigMap that are read. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Key of the values in a control plane's ConfigMap. */
export const VALUES_KEY = 'values';
