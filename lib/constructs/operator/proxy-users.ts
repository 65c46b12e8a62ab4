import type { Problem } from '../../kubernetes/findings/problem';
import { keysOf } from '../../kubernetes/known-keys';
import { checkLabelKey } from '../../kubernetes/names';
import { OPERATOR_FINDINGS } from './findings';

/**
 * The user that the operator gives to proxies where a namespace allows a range of users only, as OpenShift's do, and
 * neither pod nor namespace names one (`proxyUid` of MultusAttach).
 */
export interface ProxyUsers {
  /**
   * Number of the user after the first of the range; the last of a range that is smaller.
   *
   * @default 2102
   */
  readonly offset?: number | undefined;

  /**
   * Annotation of namespaces that has the range, as `<first>/<number>` or `<first>-<last>`.
   *
   * @default 'openshift.io/sa.scc.uid-range'
   */
  readonly rangeAnnotation?: string | undefined;
}

/** The keys of ProxyUsers. */
export const PROXY_USERS = keysOf<ProxyUsers>({ offset: true, rangeAnnotation: true });

const LARGEST_USER = 2 ** 31 - 1;

/** Checks the users of proxies. */
export function checkProxyUsers(users: ProxyUsers | undefined, multus: boolean): readonly Problem[] {
  if (users === undefined) return [];
  const { offset = 1, rangeAnnotation } = users;
  return [
    ...(rangeAnnotation === undefined ? [] : checkLabelKey('proxyUsers.rangeAnnotation', rangeAnnotation)),
    ...(Number.isInteger(offset) && offset > 0 && offset <= LARGEST_USER
      ? []
      : [OPERATOR_FINDINGS.operatorSettingRefusedUserOffset({ offset })]),
    ...(multus ? [] : [OPERATOR_FINDINGS.operatorSettingRefusedProxyUsers()]),
  ];
}
