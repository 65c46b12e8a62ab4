import { Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { trustAnchorCrd } from '../../../operator/api/crd/trust-anchor-crd';
import { CONFIG_GROUP } from '../../../operator/api/names';
import { TRUST_ANCHOR_NAME } from '../../../operator/api/trust-anchor';
import { manifest } from '../../gitops/tree/manifest';
import { dependsOn } from '../../gitops/tree/order';
import { plainObject } from '../../gitops/tree/plain-json';
import { declareReferences } from '../../gitops/tree/references';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { plainCopy } from '../../kubernetes/plain-data';
import { keepOnPrune } from '../../kubernetes/sync-options';
import type { CertManagerPKI } from '../pki/cert-manager-pki';
import { operatedObjects } from '../pki/identity-chain';
import { isOwnAnchor, trustAnchorSpec } from '../pki/trust-anchor';
import { anchorAdmissionPolicy, anchorAdmissionPolicyBindings, rootsAdmissionPolicy } from './anchor-admission-policy';

/** Props of OperatedAnchor. */
interface OperatedAnchorProps {
  /** The PKI whose anchor the operator rotates. */
  readonly pki: CertManagerPKI;
  /** Namespace of the operator. */
  readonly operatorNamespace: string;
}

/**
 * The TrustAnchor by which the operator rotates an anchor, with its definition and the policy that keeps others from all
 * that is the operator's. Argo CD prunes none of it: an anchor that somebody else is to rotate is handed over by who
 * deletes the TrustAnchor.
 */
export class OperatedAnchor extends Construct {
  readonly definition: IConstruct;
  /** The TrustAnchor itself: the operator makes the anchor as soon as it is there. */
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
      // What is no duration is reported by then.
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
    // A policy without the definition of its parameter refuses whatever it is asked about.
    dependsOn(policy, this.definition);
    dependsOn(this.resource, this.definition);
  }
}

/** The CustomResourceDefinition of TrustAnchor as Argo CD gets it. */
export function trustAnchorDefinition(): KubernetesObject {
  return DEFINITION;
}

const DEFINITION = definition();

function definition(): KubernetesObject {
  const { metadata, ...others } = trustAnchorCrd();
  // Without it the TrustAnchor would go, and with it what is remembered of a rotation.
  const object = { ...others, metadata: { ...metadata, annotations: keepOnPrune() } };
  const { data } = plainCopy<KubernetesObject>(object, 'definition');
  return plainObject(data) ?? data;
}
