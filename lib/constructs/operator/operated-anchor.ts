import { Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { TRUST_ANCHOR_NAME } from '#anchor/trust-anchor';
import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { plainCopy } from '#kubernetes/objects/plain-data';
import { trustAnchorCrd } from '#operator/api/crd/trust-anchor-crd';
import { CONFIG_GROUP } from '#operator/api/names';
import { manifest } from '../../gitops/tree/manifest';
import { dependsOn } from '../../gitops/tree/order';
import { plainObject } from '../../gitops/tree/plain-json';
import { declareReferences } from '../../gitops/tree/references';
import type { ICertManagerPKI } from '../pki/existing-pki';
import { operatedObjects } from '../pki/identity-chain';
import { hasBridgeRequests, isOwnAnchor, trustAnchorSpec } from '../pki/trust-anchor';
import {
  anchorAdmissionPolicy,
  anchorAdmissionPolicyBindings,
  requestsAdmissionPolicy,
  rootsAdmissionPolicy,
} from './anchor-admission-policy';

interface OperatedAnchorProps {
  readonly pki: ICertManagerPKI;
  readonly operatorNamespace: string;
}

/**
 * The TrustAnchor by which the operator rotates the trust anchor, its definition, and the policies that let only the
 * operator change its objects. Argo CD does not prune them: to end the rotation, delete the TrustAnchor.
 */
export class OperatedAnchor extends Construct {
  readonly definition: IConstruct;
  /** The TrustAnchor. As soon as it exists, the operator creates the anchor. */
  readonly resource: Construct;

  constructor(scope: Construct, id: string, { pki, operatorNamespace }: OperatedAnchorProps) {
    super(scope, id);
    this.definition = manifest(this, 'definition', trustAnchorDefinition());
    const { trustAnchor } = pki;
    this.resource = new Construct(this, 'trust-anchor');
    manifest(this.resource, 'resource', {
      apiVersion: `${CONFIG_GROUP}/v1alpha1`,
      kind: 'TrustAnchor',
      metadata: { name: TRUST_ANCHOR_NAME, annotations: keepOnPrune() },
      // Lazy, so that rules report invalid durations first.
      spec: Lazy.any({
        produce: () => (isOwnAnchor(trustAnchor) ? trustAnchorSpec(pki, trustAnchor, pki.certManager.namespace) : {}),
      }),
    });
    declareReferences(this.resource, { provides: operatedObjects(pki.certManager) });
    const policy = new Construct(this, 'policy');
    const { namespace } = pki.certManager;
    const [binding, rootsBinding] = anchorAdmissionPolicyBindings();
    manifest(policy, 'policy', anchorAdmissionPolicy(namespace, operatorNamespace));
    manifest(policy, 'binding', binding);
    manifest(policy, 'roots-policy', rootsAdmissionPolicy(namespace, operatorNamespace));
    manifest(policy, 'roots-binding', rootsBinding);
    if (hasBridgeRequests(trustAnchor)) {
      const [requests, requestsBinding] = requestsAdmissionPolicy(namespace, operatorNamespace);
      manifest(policy, 'requests-policy', requests);
      manifest(policy, 'requests-binding', requestsBinding);
    }
    // A policy without the definition of its parameter refuses every request that it matches.
    dependsOn(policy, this.definition);
    dependsOn(this.resource, this.definition);
  }
}

/** Returns the CustomResourceDefinition of TrustAnchor as Argo CD applies it. */
export function trustAnchorDefinition(): KubernetesObject {
  return DEFINITION;
}

const DEFINITION = definition();

function definition(): KubernetesObject {
  const { metadata, ...rest } = trustAnchorCrd();
  // Pruning the definition would delete the TrustAnchor, and with it the record of a rotation.
  const object = { ...rest, metadata: { ...metadata, annotations: keepOnPrune() } };
  const { data } = plainCopy<KubernetesObject>(object, 'definition');
  return plainObject(data) ?? data;
}
