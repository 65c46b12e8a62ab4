import type { Problem } from '../../kubernetes/findings/problem';
import type { AnchorChange } from './mesh-trust';

/**
 * Checks that a running mesh does not get another trust anchor by accident. The output before is the one on disk, as for
 * a change of release; nothing is said where there is none. That it is accepted is for the caller to see.
 */
export function checkAnchorChange(change: AnchorChange | undefined): readonly Problem[] {
  return change === undefined ? [] : [changed(change)];
}

const WHY =
  'A proxy learns of roots when its pod starts, and the identity controller when it starts. Pods that know only the old root refuse certificates of the new one, and the identity controller refuses its issuer: within a day, the mesh stops';

function changed({ from, to, fields, lost, id }: AnchorChange): Problem {
  const fix = `give all pods both roots first, then change the issuer, and take the old root out last: docs/moving-roots.md. When this step is due, set acceptAnchorChange: ${JSON.stringify(id)} of the PKI`;
  const roots = lost.length === 0 ? '' : `, and the trust bundle loses ${lost.join(', ')}`;
  if (from !== to) {
    return {
      code: 'anchor-changed',
      what: `The mesh moves to another trust anchor, from ${from} to ${to}${roots}`,
      why: WHY,
      fix,
    };
  }
  if (fields.length > 0) {
    return {
      code: 'anchor-changed',
      what: `The trust anchor gets another key at once: ${to} changes in ${fields.join(', ')}${roots}`,
      why: WHY,
      fix,
    };
  }
  return {
    code: 'anchor-changed',
    what: `The trust bundle loses a root that the mesh has: ${lost.join(', ')}`,
    why: 'Pods that start from then on refuse certificates of that root, and so does the identity controller once it restarts: what still has one is refused',
    fix,
  };
}
