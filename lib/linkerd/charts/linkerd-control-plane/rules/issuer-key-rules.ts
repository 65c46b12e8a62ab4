import type { Problem } from '../../../../kubernetes/findings/problem';
import { LINKERD_CHART_FINDINGS } from '../../findings';
import type { ControlPlaneView } from '../control-plane-view';

/** Reports where the chart would print the identity issuer's private key. */
export function checkIssuerKey({ identity }: ControlPlaneView): readonly Problem[] {
  if (identity.issuer.scheme !== 'linkerd.io/tls') return [];
  return [
    LINKERD_CHART_FINDINGS.keyMadeByChart(
      {
        path: 'identity.issuer.scheme',
        value: '"linkerd.io/tls"',
        remedy:
          'set identity.issuer.scheme to "kubernetes.io/tls", and let cert-manager maintain the Secret linkerd-identity-issuer',
      },
      { about: 'values.identity.issuer.scheme' },
    ),
  ];
}
