import type { Problem } from '../../kubernetes/findings/problem';
import type { Release } from '../../linkerd/releases/release';
import type { RemainingValues } from './remaining-values';

const SOURCES_OF_CA = ['externalSecret', 'injectCaFrom', 'injectCaFromSecret', 'caBundle'];

/** Takes what says where webhooks have their certificates from: the PKI decides that. */
export function takeWebhooks(remaining: RemainingValues, webhooks: readonly string[]): readonly Problem[] {
  return webhooks.flatMap((webhook) => {
    for (const key of SOURCES_OF_CA) remaining.take(`${webhook}.${key}`);
    return takeCertificate(remaining, `${webhook}.crtPEM`);
  });
}

/** Takes a certificate, which is of no use without the key. */
export function takeCertificate(remaining: RemainingValues, path: string): readonly Problem[] {
  if (remaining.takeText(path) === undefined) return [];
  return [
    {
      code: 'certificate-left-out',
      what: `values.${path} holds a certificate and is left out`,
      why: 'CertManagerPKI has cert-manager issue it and renew it, and the chart reads it from a Secret',
      fix: 'nothing is to be done, unless others rely on this very certificate',
    },
  ];
}

/** Takes the version that values name: constructs decide it. */
export function takeVersion(remaining: RemainingValues, release: Release): readonly Problem[] {
  const named = remaining.takeText('linkerdVersion');
  if (named === undefined) return [];
  return [
    {
      code: 'version-left-out',
      what: `values.linkerdVersion is "${named}" and is left out`,
      why: `The program is for ${release.version}: values, custom resources and images change between releases`,
      fix: `check what changed between ${named} and ${release.version}, or give another --release`,
    },
  ];
}

/** Takes the switch for what Kubernetes does not know any more. */
export function takePodSecurityPolicy(remaining: RemainingValues): readonly Problem[] {
  if (remaining.take('enablePSP') !== true) return [];
  return [
    {
      code: 'pod-security-policy-left-out',
      what: 'values.enablePSP is true and is left out',
      why: 'Kubernetes has no PodSecurityPolicy since 1.25',
      fix: 'nothing is to be done: namespaces carry the labels of the Pod Security Standards',
    },
  ];
}
