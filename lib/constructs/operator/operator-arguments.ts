import type { Problem } from '../../kubernetes/findings/problem';
import { keysOf } from '../../kubernetes/known-keys';
import { checkLabelKey } from '../../kubernetes/names';
import { OPERATOR_FINDINGS } from './findings';
import { CERTIFICATE_PATH, CLIENT_CA_FILE } from './operator-deployment';

/** Levels of the operator's log. */
export type OperatorLogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Settings that the operator gets by its arguments. */
export interface OperatorSettings {
  readonly controlPlaneNamespace: string;
  /** Namespace of the CNI plugin; absent where Multus is none of the operator's business. */
  readonly cniNamespace?: string;
  /** Path of the plugin's kubeconfig on the hosts; absent for where its installer leaves it. */
  readonly cniKubeconfig?: string | undefined;
  /** Namespace of the cert-manager by which it rotates the trust anchor; absent where it does not. */
  readonly certManagerNamespace?: string | undefined;
  /** Namespaces of the workloads that it looks after, besides the control plane's; absent for all. */
  readonly workloadNamespaces?: readonly string[];
  readonly webhooks: boolean;
  /** Tells whether a CA for the clients of the webhooks is mounted. */
  readonly clientCa?: boolean;
  /** Absent for the operator's own defaults. */
  readonly installerFieldManagers?: readonly string[];
  readonly logLevel?: OperatorLogLevel;
  readonly proxyUsers?: ProxyUsers | undefined;
}

/** The operator's arguments. What it takes by default anyway is left out, but for what tells where everything is. */
export function operatorArguments(settings: OperatorSettings): string[] {
  const {
    controlPlaneNamespace,
    cniNamespace,
    cniKubeconfig,
    certManagerNamespace,
    workloadNamespaces,
    webhooks,
    clientCa = false,
    installerFieldManagers,
    logLevel,
    proxyUsers = {},
  } = settings;
  return [
    'run',
    // With one replica, too: while one pod replaces another there are two.
    '--leader-elect',
    `--linkerd-namespace=${controlPlaneNamespace}`,
    ...(cniNamespace === undefined ? ['--no-multus'] : [`--cni-namespace=${cniNamespace}`]),
    ...(cniNamespace === undefined || cniKubeconfig === undefined ? [] : [`--cni-kubeconfig=${cniKubeconfig}`]),
    ...(certManagerNamespace === undefined
      ? []
      : ['--trust-anchor', `--cert-manager-namespace=${certManagerNamespace}`]),
    ...(workloadNamespaces === undefined ? [] : [`--workload-namespaces=${workloadNamespaces.join(',')}`]),
    ...(webhooks ? [`--webhook-cert-dir=${CERTIFICATE_PATH}`] : ['--no-enable-webhooks']),
    ...(webhooks && clientCa ? [`--webhook-client-ca=${CLIENT_CA_FILE}`] : []),
    ...(installerFieldManagers === undefined ? [] : [`--installer-field-managers=${installerFieldManagers.join(',')}`]),
    ...(proxyUsers.offset === undefined ? [] : [`--linkerd-proxy-uid-offset=${proxyUsers.offset}`]),
    ...(proxyUsers.rangeAnnotation === undefined
      ? []
      : [`--namespace-uid-range-annotation=${proxyUsers.rangeAnnotation}`]),
    ...(logLevel === undefined ? [] : [`--log-level=${logLevel}`]),
  ];
}

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
