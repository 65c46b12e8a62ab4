import type { Problem } from '../../kubernetes/findings/problem';
import { checkDnsLabel } from '../../kubernetes/names';

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
    ...(facts.cniNamespace === undefined ? [WITHOUT_CNI] : []),
    ...facts.namespaces.flatMap((namespace) => checkNamespace(namespace, facts)),
    ...checkOperator(facts),
  ];
}

/** The last user that Kubernetes knows. */
const LARGEST_USER = 2 ** 31 - 1;

const WITHOUT_CNI: Problem = {
  code: 'multus-without-cni',
  what: 'The control plane of MultusAttach has no cni',
  why: 'Multus would run a plugin that nobody installs, and every pod that attaches would stay without a network',
  fix: 'set the prop cni of LinkerdControlPlane, to a LinkerdCni or to LinkerdCni.fromExisting()',
};

function checkNamespace({ name, proxyUid }: MultusNamespace, { cniNamespace }: MultusFacts): readonly Problem[] {
  const problems = checkDnsLabel('namespaces', name);
  if (name === 'kube-system' || name === cniNamespace) {
    problems.push({
      code: 'namespace-not-attachable',
      what: `namespaces names ${name}`,
      why:
        name === 'kube-system'
          ? 'Its pods bring up the network that attaching them would wait for'
          : "The plugin's own pods cannot wait for the plugin",
      fix: `remove ${name} from namespaces`,
    });
  }
  if (proxyUid !== undefined && !(Number.isInteger(proxyUid) && proxyUid > 0 && proxyUid <= LARGEST_USER)) {
    problems.push({
      code: 'proxy-user-refused',
      what: `proxyUid of namespace ${name} is ${proxyUid}`,
      why: 'A proxy must run as a user other than root, and the plugin tells its traffic by that number',
      fix: 'give a whole number above 0 and below 2147483648',
    });
  }
  return problems;
}

function checkOperator({ operatorNamespace, controlPlaneNamespace, cniNamespace }: MultusFacts): readonly Problem[] {
  const taken = [
    [controlPlaneNamespace, "the control plane's"],
    [cniNamespace, "the CNI plugin's"],
  ].find(([namespace]) => namespace === operatorNamespace);
  if (operatorNamespace === undefined || taken === undefined) return [];
  return [
    {
      code: 'operator-namespace-taken',
      what: `operatorNamespace is ${operatorNamespace}, ${taken[1]} namespace`,
      why: "The operator's webhook leaves its own namespace alone, so that pods there would not be attached",
      fix: 'give the operator a namespace of its own',
    },
  ];
}

/** The problem of a namespace whose pods are meshed but do not attach. */
export function unattachedProblem(name: string): Problem {
  return {
    code: 'namespace-not-attached',
    what: `Namespace ${name} is meshed, but not one of the namespaces of MultusAttach`,
    why: "Nothing redirects its pods' traffic to their proxies: linkerd-network-validator fails, and they do not start",
    fix: `add "${name}" to namespaces`,
  };
}
