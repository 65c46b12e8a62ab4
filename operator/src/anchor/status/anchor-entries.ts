import type { AnchorMemory } from '#anchor/memory';
import type { ObservedTrust } from '#anchor/observed';
import { anchorsAt } from '#anchor/policy';
import type { TrustAnchorEntry } from '#anchor/trust-anchor';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import type { KnownCertificate } from '../../pki/known-certificate';
import { humanTime } from './human-time';

/** Maximum number of anchors in a status: a bundle may contain public CAs. */
const MAX_LISTED = 16;

/** Lists the anchors of the mesh: the signer, the next one, previous ones, those of members, and unknown ones. */
export function anchorEntries(
  trust: ObservedTrust,
  known: readonly KnownCertificate[],
  memory: AnchorMemory,
): readonly TrustAnchorEntry[] {
  const own = new Map(trust.anchors.flatMap((it) => (it.certificate ? [[it.certificate.key, it.generation]] : [])));
  const keys = new Set([...own.keys(), ...(trust.bundle?.anchors ?? []).map(({ key }) => key)]);
  const entries = [...keys].flatMap((key): readonly TrustAnchorEntry[] => {
    const all = known.filter((one) => one.key === key);
    const [first] = all;
    if (first === undefined) return [];
    const notAfter = Math.max(...all.map((one) => one.notAfter));
    // An anchor that is being retired may have only its root left.
    const generation = own.get(key) ?? (key === memory.current?.key ? memory.current.generation : undefined);
    return [
      {
        ...(generation !== undefined && { generation }),
        key,
        subject: first.subject.slice(0, 256),
        notAfter: kubeTime(new Date(notAfter)),
        role: roleOf(key, trust, memory),
      },
    ];
  });
  return entries.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.key < b.key ? -1 : 1)).slice(0, MAX_LISTED);
}

const ROLES = ['Signing', 'Next', 'Previous', 'Member', 'Foreign'];

function rankOf({ role }: TrustAnchorEntry): number {
  return ROLES.indexOf(role);
}

function roleOf(key: string, { issuer, anchors, members }: ObservedTrust, { rotation }: AnchorMemory): string {
  if (key === issuer.chain?.signer) return 'Signing';
  if (key === rotation?.key) return 'Next';
  const isOwn = anchors.some(({ certificate }) => certificate?.key === key);
  if (key === rotation?.from || isOwn) return 'Previous';
  return members.some((member) => anchorsAt(member).includes(key)) ? 'Member' : 'Foreign';
}

/** Returns the number of anchors, and the lifetime of the signer. */
export function anchorsSummary(
  entries: readonly TrustAnchorEntry[],
  known: readonly KnownCertificate[],
): string | undefined {
  const signing = entries.find(({ role }) => role === 'Signing');
  const certificate = known.find((one) => one.key === signing?.key && one.x509.checkIssued(one.x509));
  if (certificate === undefined) return entries.length === 0 ? undefined : `${entries.length}`;
  return `${entries.length} (of ${humanTime(certificate.notAfter - certificate.notBefore)})`;
}
