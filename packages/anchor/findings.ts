import { catalogue } from '#base/findings/catalogue';
import type { Problem } from '#base/findings/problem';
import type { AnswerFlaw } from './answers';
import type { Time } from './chain';
import type { Milestone } from './plan';
import { BRIDGE_CONFIG_MAP } from './trust-anchor';

type Given = { readonly given: string };

const SIGN_AGAIN =
  'sign the request in status.bridge of the TrustAnchor (cdk8s-linkerd anchor request prints it), and pass the signed certificate back';

/** Findings about certificates that were given as the bridge to the next trust anchor and that the operator refuses. */
export const BRIDGE_FINDINGS = catalogue({
  'bridge-answer-refused/private-key': {
    severity: 'error',
    what: ({ given }: Given) => `${given} comes with a private key`,
    why: 'Everyone who can read it can impersonate every workload of the mesh',
    fix: 'remove it, consider the key compromised, and give the certificate alone',
  },
  'bridge-answer-refused/unreadable': {
    severity: 'error',
    what: ({ given }: Given) => `${given} cannot be read`,
    why: 'Without the bridge, the next anchor signs only after all pods have restarted',
    fix: 'give the signed certificate in PEM, from "-----BEGIN CERTIFICATE-----" to "-----END CERTIFICATE-----"',
  },
  'bridge-answer-refused/stale': {
    severity: 'error',
    what: ({ given, found, subject }: Given & { found: string; subject: string }) =>
      `${given} was signed for an earlier request: it has the subject ${found} and another key than the request, whose subject is ${subject}`,
    why: 'Proxies that know only the old anchor would reject what the next one signs',
    fix: SIGN_AGAIN,
  },
  'bridge-answer-refused/other-key': {
    severity: 'error',
    what: ({ given, found, subject }: Given & { found: string; subject: string }) =>
      `${given} has the subject ${found} and another key than the next anchor, ${subject}`,
    why: 'Proxies that know only the old anchor would reject what the next one signs',
    fix: SIGN_AGAIN,
  },
  'bridge-answer-refused/other-subject': {
    severity: 'error',
    what: ({ given, found, subject }: Given & { found: string; subject: string }) =>
      `${given} has the subject ${found}, which is not, byte by byte, that of the request, ${subject}`,
    why: 'Proxies find signers by their subject, and would not find the bridge',
    fix: 'sign with the subject of the request (Vault: use_csr_values=true; openssl: without -subj), in the same encoding',
  },
  'bridge-answer-refused/self-signed': {
    severity: 'error',
    what: ({ given }: Given) => `${given} is the next anchor itself, signed with its own key`,
    why: 'Proxies that know only the old anchor would reject what the next one signs',
    fix: SIGN_AGAIN,
  },
  'bridge-answer-refused/not-ca': {
    severity: 'error',
    what: ({ given }: Given) => `${given} is not a CA certificate, or its key usages do not include cert sign`,
    why: 'Identity rejects the issuer below it',
    fix: 'sign it with the extensions basicConstraints=critical,CA:TRUE and keyUsage=critical,keyCertSign,cRLSign',
  },
  'bridge-answer-refused/usage': {
    severity: 'error',
    what: ({ given }: Given) => `${given} has extended key usages without server auth or client auth`,
    why: 'Proxies use their certificates on both sides of TLS, and reject those that chain to it',
    fix: 'sign it without the extension extendedKeyUsage',
  },
  'bridge-answer-refused/constrained': {
    severity: 'error',
    what: ({ given }: Given) => `${given} has name constraints`,
    why: 'Proxies reject the identities of other proxies',
    fix: 'sign it without the extension nameConstraints',
  },
  'bridge-answer-refused/path-length': {
    severity: 'error',
    what: ({ given }: Given) => `${given} has a path length that does not allow the identity issuer below it`,
    why: 'Proxies reject the certificates that the issuer signs',
    fix: 'sign it with a path length of at least 1, or without one (pathlen of basicConstraints)',
  },
  'bridge-answer-refused/signed-by-other': {
    severity: 'error',
    what: ({ given }: Given) => `${given} is not signed with the key of the anchor that the mesh uses now`,
    why: 'Proxies that know only that anchor would reject what the next one signs',
    fix: 'sign it with the key of status.bridge.signer; if a CA in between signs, add the certificate of that CA to the one that you pass',
  },
  'bridge-answer-refused/not-yet-valid': {
    severity: 'error',
    what: ({ given, begin }: Given & { begin: string }) => `${given} is not valid before ${begin}`,
    why: 'Until then, proxies reject the certificates that chain to it',
    fix: 'wait until then, or sign it with an earlier notBefore',
  },
  'bridge-answer-refused/ends-too-early': {
    severity: 'error',
    what: ({ given, end, needed }: Given & { end: string; needed: string }) =>
      `${given} expires on ${end}, but a rotation that begins now may take until ${needed}`,
    why: 'Proxies that know only the old anchor are cut off when the bridge expires',
    fix: 'sign it with the notAfter of the old anchor (status.bridge.notAfter)',
  },
  'bridge-answer-refused/ends-too-late': {
    severity: 'error',
    what: ({ given, end, most }: Given & { end: string; most: string }) =>
      `${given} expires on ${end}, after the old anchor, which expires on ${most}`,
    why: 'Verifiers such as identity reject it once the old anchor has expired, so it is of no use after that',
    fix: 'sign it with a notAfter that is not later than that of the old anchor (status.bridge.notAfter)',
  },
});

const PLACES = {
  spec: 'The certificate in spec.bridge',
  'config-map': `The certificate in ConfigMap ${BRIDGE_CONFIG_MAP}`,
  member: 'The certificate in the report of the cluster spec.bridge.member',
} as const;

function answerProblem(flaw: AnswerFlaw): Problem {
  const given = PLACES[flaw.place];
  switch (flaw.cause) {
    case 'private-key':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedPrivateKey({ given });
    case 'unreadable':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedUnreadable({ given });
    case 'self-signed':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedSelfSigned({ given });
    case 'signed-by-other':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedSignedByOther({ given });
    case 'not-ca':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedNotCa({ given });
    case 'usage':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedUsage({ given });
    case 'constrained':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedConstrained({ given });
    case 'path-length':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedPathLength({ given });
    case 'stale':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedStale({ given, found: flaw.found, subject: flaw.subject });
    case 'other-key':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedOtherKey({ given, found: flaw.found, subject: flaw.subject });
    case 'other-subject':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedOtherSubject({ given, found: flaw.found, subject: flaw.subject });
    case 'not-yet-valid':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedNotYetValid({ given, begin: timeText(flaw.begin) });
    case 'ends-too-early':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedEndsTooEarly({
        given,
        end: timeText(flaw.end),
        needed: timeText(flaw.needed),
      });
    case 'ends-too-late':
      return BRIDGE_FINDINGS.bridgeAnswerRefusedEndsTooLate({
        given,
        end: timeText(flaw.end),
        most: timeText(flaw.most),
      });
  }
}

/** Returns a milestone with the finding of its flaw. The cause becomes the reason, e.g. `EndsTooEarly`. */
export function withFlaw(milestone: Milestone): Milestone {
  if (milestone.flaw === undefined) return milestone;
  const { cause = '', what, why, fix } = answerProblem(milestone.flaw);
  const reason = cause.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  return { ...milestone, reason, message: `${what}. ${why}: ${fix}` };
}

/** The latest time that a JavaScript Date can represent (ECMA-262). */
const LAST_TIME = 8.64e15;

/** Rounds to whole minutes, so that the operator does not write a new condition each second. */
function timeText(time: Time): string {
  return `${new Date(Math.min(time, LAST_TIME)).toISOString().slice(0, 16)}Z`;
}
