import type { Problem } from '#base/findings/problem';
import { showValue } from '#base/value-path';
import { KUBERNETES_FINDINGS } from '../findings/findings';

/** Empty for the core group. */
const GROUP = /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*)?$/;
/** A name without a capital letter is the name of a resource, not of a kind. */
const KIND = /^[A-Z][A-Za-z0-9]{0,62}$/;
const MAX_GROUP = 253;

/** Reports a string that is not `group/Kind`, from which the permissions of an AppProject are derived. */
export function checkGroupKind(field: string, text: string): readonly Problem[] {
  const [group, kind, ...more] = String(text).split('/');
  if (group !== undefined && kind !== undefined && more.length === 0 && isGroup(group) && KIND.test(kind)) return [];
  return [
    KUBERNETES_FINDINGS.referenceRefusedGroupKind({
      field,
      value: showValue(text),
      example: 'the group, a slash and the kind ("apps/Deployment", "/ConfigMap")',
    }),
  ];
}

/** Reports a permission of an AppProject that cannot match any kind; both parts may be patterns. */
export function checkPermittedKind(
  field: string,
  { group, kind }: { readonly group: string; readonly kind: string },
): readonly Problem[] {
  const isPattern = (text: string) => /[*?[\]{}]/.test(text);
  if ((isPattern(group) || isGroup(group)) && (isPattern(kind) || KIND.test(kind))) return [];
  return [
    KUBERNETES_FINDINGS.referenceRefusedGroupKind({
      field,
      value: `{ group: ${showValue(group)}, kind: ${showValue(kind)} }`,
      example: "{ group: 'apps', kind: 'Deployment' }",
    }),
  ];
}

function isGroup(group: string): boolean {
  return group.length <= MAX_GROUP && GROUP.test(group);
}
