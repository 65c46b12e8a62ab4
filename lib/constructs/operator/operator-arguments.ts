import type { Problem } from '#base/findings/problem';
import { checkLabelKey } from '#kubernetes/names';
import { keysOf, NUMBER } from '#kubernetes/options/known-keys';
import { OPERATOR_FINDINGS } from './findings';
import { CERTIFICATE_PATH, CLIENT_CA_FILE } from './operator-deployment';

/** Levels of the operator's log. */
export type OperatorLogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Settings that the operator gets as arguments. */
export interface OperatorSettings {
  readonly controlPlaneNamespace: string;
  /** Namespace of the CNI plugin; absent where the operator attaches no pods through Multus. */
  readonly cniNamespace?: string;
  /** Path of the plugin's kubeconfig on the hosts; absent for the installer's default. */
  readonly cniKubeconfig?: string | undefined;
  /** Namespace of the cert-manager that issues the trust anchor; absent where the operator does not rotate it. */
  readonly certManagerNamespace?: string | undefined;
  /** Namespaces of the workloads that the operator manages, in addition to the control plane's; absent for all. */
  readonly workloadNamespaces?: readonly string[];
  readonly webhooks: boolean;
  /** Whether a CA for the clients of the webhooks is mounted. */
  readonly clientCa?: boolean;
  /** Field managers of the installers; absent for the operator's defaults. */
  readonly installerFieldManagers?: readonly string[];
  readonly logLevel?: OperatorLogLevel;
  readonly proxyUsers?: ProxyUsers | undefined;
}

/**
 * Returns the operator's arguments. Values equal to its defaults are left out, except namespaces and paths.
 */
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
    // Also with one replica, because two pods run during a rollout.
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
 * The user that the operator sets for proxies where a namespace allows only a range of users, as on OpenShift. A user
 * that the pod or the namespace sets (`proxyUid` of MultusAttach) takes precedence.
 */
export interface ProxyUsers {
  /**
   * Offset of the user from the first user of the range. In a smaller range, the proxy runs as the last user.
   *
   * @default 2102
   */
  readonly offset?: number | undefined;

  /**
   * Annotation of namespaces with the range, as `<first>/<number>` or `<first>-<last>`.
   *
   * @default 'openshift.io/sa.scc.uid-range'
   */
  readonly rangeAnnotation?: string | undefined;
}

/** The keys of ProxyUsers. */
export const PROXY_USERS = keysOf<ProxyUsers>({ offset: NUMBER, rangeAnnotation: true });

const LARGEST_USER = 2 ** 31 - 1;

/** Checks the users that proxies run as. */
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
