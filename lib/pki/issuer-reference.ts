import { checkDnsSubdomain } from '../kubernetes/names';
import { suggest } from '../kubernetes/suggest';
import type { Problem } from '../problems/problem';
import type { IssuerReference } from './trust-anchor';

/** The kinds of issuers that cert-manager itself has. */
const OWN_ISSUERS: readonly string[] = ['ClusterIssuer', 'Issuer'];

/** Reports what keeps cert-manager from finding an issuer. */
export function checkIssuer({
  name,
  kind = 'ClusterIssuer',
  group = 'cert-manager.io',
}: IssuerReference): readonly Problem[] {
  const problems = checkDnsSubdomain('trustAnchor.issuer.name', name);
  if (group !== 'cert-manager.io' || OWN_ISSUERS.includes(kind)) return problems;
  const [similar] = suggest(kind, OWN_ISSUERS);
  return [
    ...problems,
    {
      code: 'issuer-kind-unknown',
      what: `trustAnchor.issuer.kind is "${kind}", in the group cert-manager.io`,
      why: "cert-manager has no such issuer: the identity issuer's Certificate would wait for it for ever, and the control plane with it",
      fix: `set kind to ${similar ?? OWN_ISSUERS.join(' or ')}, or group to that of the external issuer`,
    },
  ];
}
