import type { Problem } from '../../kubernetes/findings/problem';
import { checkDnsLabel } from '../../kubernetes/names';
import { CONTROL_PLANE_FINDINGS } from '../control-plane/findings';
import { MULTUS_FINDINGS } from './findings';

/** A namespace whose pods attach to the CNI plugin by Multus. */
export interface MultusNamespace {
  readonly name: string;

  /**
   * User that the namespace's proxies run as, as an annotation of the namespace. OpenShift starts a proxy only as a user
   * of the namespace's range (its annotation `openshift.io/sa.scc.uid-range`, `<first>/<number>`): take `<first>` + 2102,
   * or less where the range is smaller; not a user that the application runs as. It goes before what an operator would
   * choose (`proxyUsers` of ReconcilerOperator).
   *
   * @default - the control plane's `proxy.uid`; where an operator attaches the pods, what it finds in the range
   */
  readonly proxyUid?: number;
}

/** The facts about a MultusAttach that its rules are about. */
export interface MultusFacts {
  readonly namespaces: readonly MultusNamespace[];
  readonly controlPlaneNamespace: string;
  /** Namespace of the control plane's CNI plugin; absent where it has none. */
  readonly cniNamespace?: string;
  readonly operatorNamespace?: string;
}

/** Checks a MultusAttach. */
export function checkMultus(facts: MultusFacts): readonly Problem[] {
  return [
    ...(facts.cniNamespace === undefined ? [MULTUS_FINDINGS.multusWithoutCni({ needing: 'MultusAttach' })] : []),
    ...facts.namespaces.flatMap((namespace) => checkNamespace(namespace, facts)),
    ...checkOperator(facts),
  ];
}

/** The last user that Kubernetes knows. */
const LARGEST_USER = 2 ** 31 - 1;

function checkNamespace({ name, proxyUid }: MultusNamespace, { cniNamespace }: MultusFacts): readonly Problem[] {
  const problems = checkDnsLabel('namespaces', name);
  if (name === 'kube-system' || name === cniNamespace) {
    const reason =
      name === 'kube-system'
        ? 'Its pods set up the network that attaching them would wait for'
        : 'The pods of the plugin cannot wait for the plugin';
    problems.push(MULTUS_FINDINGS.namespaceNotAttachable({ namespace: name, reason }));
  }
  if (proxyUid !== undefined && !(Number.isInteger(proxyUid) && proxyUid > 0 && proxyUid <= LARGEST_USER)) {
    const path = `proxyUid of namespace ${name}`;
    problems.push(
      CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedProxyUser({ path, value: proxyUid, most: LARGEST_USER }),
    );
  }
  return problems;
}

function checkOperator({ operatorNamespace, controlPlaneNamespace, cniNamespace }: MultusFacts): readonly Problem[] {
  const taken = [
    { namespace: controlPlaneNamespace, owner: 'control plane' },
    { namespace: cniNamespace, owner: 'CNI plugin' },
  ].find(({ namespace }) => namespace === operatorNamespace);
  if (operatorNamespace === undefined || taken === undefined) return [];
  return [
    MULTUS_FINDINGS.operatorNamespaceTaken({
      field: 'operatorNamespace',
      namespace: operatorNamespace,
      owner: taken.owner,
    }),
  ];
}

/** The problem of a namespace whose pods are meshed but do not attach. */
export function unattachedProblem(name: string): Problem {
  return MULTUS_FINDINGS.namespaceNotAttached({ namespace: name });
}
