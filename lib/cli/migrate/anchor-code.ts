import { parseAnchors } from '../../constructs/pki/trust-roots-pem';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Reference } from '../../kubernetes/references';
import { Call } from './code';
import type { RemainingValues } from './remaining-values';

/** The anchor that a program gives its PKI, so that running proxies go on trusting what they trust. */
export interface AnchorCode {
  /** Absent where cert-manager is to make a new one. */
  readonly trustAnchor?: Call;
  /** A remark on something that has to be looked at. */
  readonly remark?: string;
  /** Objects that have to be in the cluster already. */
  readonly external?: readonly Reference[];
  readonly warnings: readonly Problem[];
}

/** The Secret in which Linkerd's guide has the anchor of cert-manager, by its name there. */
const ANCHOR_SECRET = 'linkerd-trust-anchor';

const NEW_ANCHOR =
  'Running proxies do not trust a new anchor: meshed pods could not talk to those that restart, nor to the control plane';

const PRESENT_ANCHOR =
  "kubectl get configmap linkerd-identity-trust-roots -n linkerd -o jsonpath='{.data.ca-bundle\\.crt}'";

const ANCHOR_TO_FILL_IN = `give CertManagerPKI the present anchor in the place of the TODO, where synth refuses the program: \`${PRESENT_ANCHOR}\`; or migrate with --new-anchor, for a mesh that is not installed yet`;

const MISSING: Problem = {
  code: 'anchor-missing',
  what: 'the values have no trust anchor: neither identityTrustAnchorsPEM nor identity.externalCA',
  why: NEW_ANCHOR,
  fix: ANCHOR_TO_FILL_IN,
};

const UNREADABLE: Problem = {
  code: 'anchor-unreadable',
  what: 'values.identityTrustAnchorsPEM cannot be read as trust anchors in PEM, and is left out',
  why: NEW_ANCHOR,
  fix: ANCHOR_TO_FILL_IN,
};

/** Takes the values that say which anchor a mesh has; with `newAnchor`, no mesh runs, and cert-manager may make one. */
export function takeAnchor(remaining: RemainingValues, newAnchor: boolean): AnchorCode {
  const isExternal = remaining.take('identity.externalCA') === true;
  const certificates = remaining.takeText('identityTrustAnchorsPEM');
  if (isExternal) return fromSecret();
  if (certificates === undefined) return newAnchor ? { warnings: [] } : toFillIn(MISSING);
  const { anchors, problems } = parseAnchors('identityTrustAnchorsPEM', certificates);
  if (problems.length === 0 && anchors.length > 0) return fromPem(anchors.map(({ pem }) => pem).join(''));
  return newAnchor ? { warnings: [UNREADABLE] } : toFillIn(UNREADABLE);
}

/** An anchor that synth refuses, until somebody says which one the mesh has. */
function toFillIn(warning: Problem): AnchorCode {
  return {
    external: [{ kind: 'ClusterIssuer', name: ANCHOR_SECRET }],
    trustAnchor: new Call('TrustAnchor.fromPem', {
      certificates: "TODO: the PEM of the mesh's anchor",
      issuer: { name: ANCHOR_SECRET },
    }),
    remark: `TODO: certificates is the PEM of the mesh's trust anchor: ${PRESENT_ANCHOR}; issuer is the ClusterIssuer that signs with its key. If cert-manager made the anchor, TrustAnchor.fromSecret takes its Secret.`,
    warnings: [warning],
  };
}

function fromSecret(): AnchorCode {
  return {
    trustAnchor: new Call('TrustAnchor.fromSecret', { secretName: ANCHOR_SECRET }),
    remark: `The anchor that the mesh has: check the name of its Secret in cert-manager's namespace, and label that one.`,
    warnings: [
      {
        code: 'anchor-to-confirm',
        what: 'values.identity.externalCA is true: the mesh has an anchor that others made, and values do not say where',
        why: `${NEW_ANCHOR}. The program therefore takes the Secret ${ANCHOR_SECRET} of cert-manager's namespace, as Linkerd's guide has it`,
        fix: `see that it is the one: \`kubectl get secret -n cert-manager\`; and label it: \`kubectl label secret -n cert-manager ${ANCHOR_SECRET} cdk8s-linkerd/trust-anchor=current\`. An anchor whose key is elsewhere is TrustAnchor.fromPem or fromClusterIssuer`,
      },
    ],
  };
}

function fromPem(certificates: string): AnchorCode {
  return {
    trustAnchor: new Call('TrustAnchor.fromPem', { certificates, issuer: { name: ANCHOR_SECRET } }),
    external: [{ kind: 'ClusterIssuer', name: ANCHOR_SECRET }],
    remark:
      'The anchor that the mesh has: make the ClusterIssuer that signs with its key, or with an intermediate of it.',
    warnings: [
      {
        code: 'anchor-issuer-to-make',
        what: `values.identityTrustAnchorsPEM becomes an anchor in PEM, and a ClusterIssuer ${ANCHOR_SECRET} is to sign with its key`,
        why: `${NEW_ANCHOR}. cert-manager can renew the identity issuer only by the key of the anchor, which values do not have`,
        fix: 'make that ClusterIssuer in the cluster, of the key by which the identity issuer was signed so far; or name another one',
      },
    ],
  };
}
