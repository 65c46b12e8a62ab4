import type { Problem } from '../../kubernetes/findings/problem';
import { CHANGE_FINDINGS } from './findings';
import type { AnchorChange } from './mesh-trust';

/**
 * Checks that a running mesh does not get another trust anchor by accident. The output before is the one on disk, as for
 * a change of release; nothing is said where there is none. That it is accepted is for the caller to see.
 */
export function checkAnchorChange(change: AnchorChange | undefined): readonly Problem[] {
  return change === undefined ? [] : [changed(change)];
}

function changed({ from, to, fields, lost, id }: AnchorChange): Problem {
  const changes = [
    ...(from === to ? [] : [`the trust anchor moves from ${from} to ${to}`]),
    ...(from !== to || fields.length === 0 ? [] : [`${to} gets another key by ${fields.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`the trust bundle loses ${lost.join(', ')}`]),
  ];
  return CHANGE_FINDINGS.anchorChanged({ changes: changes.join(', '), id });
}
