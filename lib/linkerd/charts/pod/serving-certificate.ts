import type { Volume, VolumeMount } from '../../../../imports/kubernetes';
import { isEmpty } from '../empty';

/** Values that say whose certificate the API server is to accept. */
export interface CaValues {
  readonly caBundle: string | undefined;
  readonly injectCaFrom: string | undefined;
  readonly injectCaFromSecret: string | undefined;
}

/** The mount at which a component finds the certificate with which it serves the API server. */
export const CERTIFICATE_MOUNT: VolumeMount = { mountPath: '/var/run/linkerd/tls', name: 'tls', readOnly: true };

/** The certificate of a component, which cert-manager keeps. */
export function certificateVolume(component: string): Volume {
  return { name: 'tls', secret: { secretName: `${component}-k8s-tls` } };
}

/** Annotations by which cert-manager tells the API server the CA of a component, if it does. */
export function caInjection({ injectCaFrom, injectCaFromSecret }: CaValues): {
  annotations?: Record<string, string>;
} {
  const annotations: Record<string, string> = {
    ...(injectCaFrom ? { 'cert-manager.io/inject-ca-from': injectCaFrom } : {}),
    ...(injectCaFromSecret ? { 'cert-manager.io/inject-ca-from-secret': injectCaFromSecret } : {}),
  };
  return isEmpty(annotations) ? {} : { annotations };
}

/** The CA of a component, where the values have it and cert-manager does not inject it. */
export function pinnedCa({ caBundle, injectCaFrom, injectCaFromSecret }: CaValues): { caBundle?: string } {
  if (injectCaFrom || injectCaFromSecret || !caBundle) return {};
  return { caBundle: Buffer.from(caBundle.trim()).toString('base64') };
}
