import { Construct } from 'constructs';
import type { Certificate, Issuer } from '#imports/crds/cert-manager.io';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import type { ICertManager } from './cert-manager';
import {
  type CertificateRequest,
  caClusterIssuer,
  certificateSpec,
  MAX_COMMON_NAME,
  SelfSignedRoot,
} from './certificate';
import type { PkiSettings } from './pki-rules';

/** Props of WebhookCertificate. */
export interface WebhookCertificateProps {
  /** Name of the Service at which the API server calls the webhook. */
  readonly service: string;

  /** Namespace of that Service, and of the certificate: the webhook's pods mount its Secret. */
  readonly namespace: string;

  /**
   * Name of the Certificate.
   *
   * @default - the Service's name
   */
  readonly name?: string;

  /**
   * Name of the Secret.
   *
   * @default '<service>-k8s-tls', which Linkerd's charts mount
   */
  readonly secretName?: string;

  /**
   * Deployment of the namespace whose pods serve with the certificate and are restarted when it is rotated; `false` if
   * the pods reload it.
   *
   * @default - the Service's name
   */
  readonly deployment?: string | false;
}

type WebhookSigner = Pick<CertificateRequest, 'issuerRef' | 'validity'>;

/** The serving certificate of one webhook, created by `CertManagerPKI.webhookCertificate`. */
export class WebhookCertificate extends Construct {
  readonly certificateName: string;
  readonly namespace: string;
  readonly secretName: string;
  /** The value for a chart's `injectCaFrom`: `<namespace>/<Certificate>`. */
  readonly injectCaFrom: string;
  /** The Deployment to restart for a new certificate, if any. */
  readonly deployment?: string;

  constructor(scope: Construct, id: string, props: WebhookCertificateProps & { readonly signer: WebhookSigner }) {
    super(scope, id);
    this.certificateName = props.name ?? props.service;
    this.namespace = props.namespace;
    this.secretName = props.secretName ?? `${props.service}-k8s-tls`;
    this.injectCaFrom = `${this.namespace}/${this.certificateName}`;
    this.deployment = props.deployment === false ? undefined : (props.deployment ?? props.service);
    const host = `${props.service}.${props.namespace}.svc`;

    manifest(this, 'certificate', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: this.certificateName, namespace: this.namespace },
      spec: certificateSpec({
        purpose: 'server',
        secretName: this.secretName,
        issuerRef: props.signer.issuerRef,
        validity: props.signer.validity,
        // TLS clients check only the DNS name. A long name does not fit into the common name.
        ...(host.length <= MAX_COMMON_NAME && { commonName: host }),
        dnsNames: [host],
      }),
    } satisfies Certificate);

    addRule(this, () => [
      ...checkDnsLabel('service', props.service),
      // Names that are derived from the Service's name are invalid only if that name is.
      ...(props.name === undefined ? [] : checkDnsSubdomain('name', props.name)),
      ...(props.secretName === undefined ? [] : checkDnsSubdomain('secretName', props.secretName)),
      ...(typeof props.deployment === 'string' ? checkDnsSubdomain('deployment', props.deployment) : []),
    ]);
  }
}

/** Name of the webhooks' CA: its ClusterIssuer, Certificate and Secret. */
export const WEBHOOK_ISSUER = 'linkerd-webhook-issuer';

interface WebhookChainProps {
  readonly certManager: ICertManager;
  readonly pki: PkiSettings;
}

/** The CA of the webhooks' certificates. The API server trusts it; proxies do not. */
export class WebhookChain extends Construct {
  /** The issuer of the serving certificates. */
  readonly signer: WebhookSigner;

  constructor(scope: Construct, id: string, { certManager, pki }: WebhookChainProps) {
    super(scope, id);
    this.signer = {
      issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: WEBHOOK_ISSUER },
      validity: pki.webhooks,
    };
    new SelfSignedRoot(this, 'root', {
      namespace: certManager.namespace,
      name: WEBHOOK_ISSUER,
      issuerName: 'linkerd-webhook-root-issuer',
      // Shorter than the identity issuer's name, whose length is checked.
      commonName: `webhook.${pki.controlPlaneNamespace}.${pki.trustDomain}`,
      validity: pki.webhookIssuer,
    });
    caClusterIssuer(this, WEBHOOK_ISSUER, WEBHOOK_ISSUER);
  }
}

interface OwnWebhookChainProps {
  readonly service: string;
  readonly namespace: string;
  readonly pki: PkiSettings;
}

/** A CA for the webhook of one Service, in its namespace: for meshes without a `WebhookChain`. */
export class OwnWebhookChain extends Construct {
  /** The issuer of the serving certificate. */
  readonly signer: WebhookSigner;

  constructor(scope: Construct, id: string, { service, namespace, pki }: OwnWebhookChainProps) {
    super(scope, id);
    const name = `${service}-ca`;
    this.signer = { issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name }, validity: pki.webhooks };
    new SelfSignedRoot(this, 'root', {
      namespace,
      name,
      issuerName: `${service}-root`,
      commonName: name,
      validity: pki.webhookIssuer,
    });
    manifest(this, 'issuer', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Issuer',
      metadata: { name, namespace },
      spec: { ca: { secretName: name } },
    } satisfies Issuer);
  }
}
