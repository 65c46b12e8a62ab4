import { Construct } from 'constructs';
import type { Certificate, Issuer } from '../../../imports/crds/cert-manager.io';
import { manifest } from '../../gitops/tree/manifest';
import { keepOnPrune } from '../../kubernetes/sync-options';
import { certificateSpec } from './certificate';
import type { Validity } from './validity';

/** A CA that signs itself. */
export interface SelfSignedRootProps {
  /** Namespace of cert-manager: the one in which ClusterIssuers look for Secrets. */
  readonly namespace: string;
  /** Name of the Certificate and of its Secret. */
  readonly name: string;
  /** Name of the self-signed Issuer. */
  readonly issuerName: string;
  readonly commonName: string;
  readonly validity: Validity;
  readonly secretLabels?: Readonly<Record<string, string>>;
  readonly manualRenewal?: boolean;
  /** Tells whether it outlives its manifest in Git. */
  readonly keep?: boolean;
}

/** A self-signed CA of cert-manager: an Issuer of its own, in cert-manager's namespace only, and the Certificate. */
export class SelfSignedRoot extends Construct {
  constructor(scope: Construct, id: string, props: SelfSignedRootProps) {
    super(scope, id);
    const { namespace, name, issuerName } = props;
    manifest(this, 'issuer', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: { name: issuerName, namespace },
      spec: { selfSigned: {} },
    } satisfies Issuer);
    manifest(this, 'certificate', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name, namespace, ...(props.keep === true && { annotations: keepOnPrune() }) },
      spec: certificateSpec({
        purpose: 'root',
        secretName: name,
        issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: issuerName },
        validity: props.validity,
        commonName: props.commonName,
        secretLabels: props.secretLabels,
        manualRenewal: props.manualRenewal,
      }),
    } satisfies Certificate);
  }
}
