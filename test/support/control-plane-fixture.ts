import type { Testing } from 'cdk8s';
import type { Construct } from 'constructs';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { CertManagerPKI, type CertManagerPKIProps } from '#lib/constructs/pki/cert-manager-pki';
import { TrustBundle } from '#lib/constructs/pki/trust-bundle';
import { TrustManager } from '#lib/constructs/pki/trust-manager';
import { plainObjects } from './plain-app';

/** An emitted object. */
export interface Emitted {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly spec: Record<string, unknown>;
}

/** Adds the PKI and trust bundle that a control plane needs. */
export function addPki(scope: Construct, props: Partial<CertManagerPKIProps> = {}) {
  const certManager = props.certManager ?? CertManager.fromExisting(scope, 'cert-manager');
  const trustManager = TrustManager.fromExisting(scope, 'trust-manager', { trustNamespace: certManager.namespace });
  const pki = new CertManagerPKI(scope, 'pki', { ...props, certManager });
  return { pki, trust: new TrustBundle(scope, 'trust', { pki, trustManager }) };
}

/** The emitted objects of a kind, by name. */
export function emitted(chart: Parameters<typeof Testing.synth>[0], kind: string): Record<string, Emitted> {
  const objects = (plainObjects(chart) as Emitted[]).filter((object) => object.kind === kind);
  return Object.fromEntries(objects.map((object) => [object.metadata.name, object]));
}
