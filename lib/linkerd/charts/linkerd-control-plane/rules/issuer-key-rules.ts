import type { Problem } from '../../../../kubernetes/findings/problem';
import type { ControlPlaneView } from '../control-plane-view';

/** Reports where the chart would print the identity issuer's private key. */
export function checkIssuerKey({ identity }: ControlPlaneView): readonly Problem[] {
  if (identity.issuer.scheme !== 'linkerd.io/tls') return [];
  return [
    {
      code: 'key-made-by-chart',
      about: 'values.identity.issuer.scheme',
      what: 'values.identity.issuer.scheme is "linkerd.io/tls"',
      why: "The chart would print the identity issuer's private key as a Secret: whoever has it can speak for every pod",
      fix: 'set identity.issuer.scheme to "kubernetes.io/tls", and let cert-manager keep the Secret linkerd-identity-issuer',
    },
  ];
}
