import type { AnchorChange } from '../compare/mesh-trust';
import type { Problem } from '../problems/problem';

/**
 * Checks that a running mesh does not get another trust anchor by accident. The output before is the one on disk, as for
 * a change of release; nothing is said where there is none. That it is accepted is for the caller to see.
 */
export function checkAnchorChange(change: AnchorChange | undefined): readonly Problem[] {
  if (change === undefined) return [];
  return [
    {
      code: 'anchor-changed',
      what: anchorChangeText(change),
      why: 'A proxy learns of roots when its pod starts, and the identity controller when it starts. Pods that know only the old root refuse certificates of the new one, and from the next renewal of the identity issuer on no certificate is issued: within a day, the mesh stops',
      fix: `give all pods both roots first, then change the issuer, and take the old root out last: docs/moving-roots.md. When this step is due, set acceptAnchorChange: ${JSON.stringify(change.id)} of the PKI`,
    },
  ];
}

/** The change of an anchor in a sentence. */
export function anchorChangeText({ from, to, fields, lost }: AnchorChange): string {
  const roots = lost.length === 0 ? '' : `the trust bundle loses ${lost.join(', ')}`;
  if (from !== to) return `The mesh moves to another trust anchor, from ${from} to ${to}${roots && `, and ${roots}`}`;
  if (fields.length === 0) return `The mesh no longer trusts a root: ${roots}`;
  return `The trust anchor gets another key at once: ${to} changes in ${fields.join(', ')}${roots && `, and ${roots}`}`;
}
