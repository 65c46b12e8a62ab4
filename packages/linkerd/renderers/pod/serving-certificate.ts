import type { Volume, VolumeMount } from '#imports/kubernetes';
import { isEmpty } from '../empty';
import { unquoted } from '../print';

/** Values for the CA that the API server trusts. */
export interface CaValues {
  readonly caBundle: string | undefined;
  readonly injectCaFrom: string | undefined;
  readonly injectCaFromSecret: string | undefined;
}

/** The mount of the certificate with which a component serves the API server. */
export const CERTIFICATE_MOUNT: VolumeMount = { mountPath: '/var/run/linkerd/tls', name: 'tls', readOnly: true };

/** Returns the volume with a component's certificate, which cert-manager renews. */
export function certificateVolume(component: string): Volume {
  return { name: 'tls', secret: { secretName: `${component}-k8s-tls` } };
}

/** Returns the annotations with which cert-manager injects the CA of a component, if enabled. */
export function caInjection({ injectCaFrom, injectCaFromSecret }: CaValues): {
  annotations?: Record<string, string>;
} {
  const annotations: Record<string, string> = {
    ...(injectCaFrom ? { 'cert-manager.io/inject-ca-from': unquoted(injectCaFrom) } : {}),
    ...(injectCaFromSecret ? { 'cert-manager.io/inject-ca-from-secret': unquoted(injectCaFromSecret) } : {}),
  };
  return isEmpty(annotations) ? {} : { annotations };
}

/** Returns the CA of a component from the values, if cert-manager does not inject it. */
export function pinnedCa({ caBundle, injectCaFrom, injectCaFromSecret }: CaValues): { caBundle?: string } {
  if (injectCaFrom || injectCaFromSecret || !caBundle) return {};
  return { caBundle: Buffer.from(caBundle.trim()).toString('base64') };
}
