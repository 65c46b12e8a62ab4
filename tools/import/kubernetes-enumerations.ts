import type { Enumerations } from './openapi';

const failurePolicy = ['Fail', 'Ignore'];
const matchPolicy = ['Equivalent', 'Exact'];
const protocol = ['SCTP', 'TCP', 'UDP'];
const accessMode = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const trafficPolicy = ['Cluster', 'Local'];
const operation = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scope = ['*', 'Cluster', 'Namespaced'];

/**
 * Values that the API server's validation accepts, where Kubernetes' OpenAPI declares only "string". They come from
 * k8s.io/api and pkg/apis/*\/validation at the pinned version, without fields that any release may extend.
 */
export const ENUMERATIONS: Enumerations = {
  'CSIDriverSpec.fsGroupPolicy': ['File', 'None', 'ReadWriteOnceWithFSType'],
  'Container.imagePullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'Container.terminationMessagePolicy': ['FallbackToLogsOnError', 'File'],
  'ContainerPort.protocol': protocol,
  'CronJobSpec.concurrencyPolicy': ['Allow', 'Forbid', 'Replace'],
  'DaemonSetUpdateStrategy.type': ['OnDelete', 'RollingUpdate'],
  'DeploymentStrategy.type': ['Recreate', 'RollingUpdate'],
  'EndpointSlice.addressType': ['FQDN', 'IPv4', 'IPv6'],
  'HTTPGetAction.scheme': ['HTTP', 'HTTPS'],
  'HTTPIngressPath.pathType': ['Exact', 'ImplementationSpecific', 'Prefix'],
  'JobSpec.completionMode': ['Indexed', 'NonIndexed'],
  'LabelSelectorRequirement.operator': ['DoesNotExist', 'Exists', 'In', 'NotIn'],
  'MutatingWebhook.failurePolicy': failurePolicy,
  'MutatingWebhook.matchPolicy': matchPolicy,
  'MutatingWebhook.reinvocationPolicy': ['IfNeeded', 'Never'],
  'MutatingWebhook.sideEffects': ['None', 'NoneOnDryRun'],
  'NetworkPolicyPort.protocol': protocol,
  'NetworkPolicySpec.policyTypes': ['Egress', 'Ingress'],
  'NodeSelectorRequirement.operator': ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'],
  'PersistentVolumeClaimSpec.accessModes': accessMode,
  'PersistentVolumeClaimSpec.volumeMode': ['Block', 'Filesystem'],
  'PersistentVolumeSpec.accessModes': accessMode,
  'PersistentVolumeSpec.persistentVolumeReclaimPolicy': ['Delete', 'Recycle', 'Retain'],
  'PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy': ['AlwaysAllow', 'IfHealthyBudget'],
  'PodSecurityContext.fsGroupChangePolicy': ['Always', 'OnRootMismatch'],
  'PodSpec.dnsPolicy': ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
  'PodSpec.preemptionPolicy': ['Never', 'PreemptLowerPriority'],
  'PodSpec.restartPolicy': ['Always', 'Never', 'OnFailure'],
  'PriorityClass.preemptionPolicy': ['Never', 'PreemptLowerPriority'],
  'RoleRef.kind': ['ClusterRole', 'Role'],
  'RbacSubject.kind': ['Group', 'ServiceAccount', 'User'],
  'RuleWithOperations.operations': operation,
  'RuleWithOperations.scope': scope,
  'SeccompProfile.type': ['Localhost', 'RuntimeDefault', 'Unconfined'],
  'ServicePort.protocol': protocol,
  'ServiceSpec.externalTrafficPolicy': trafficPolicy,
  'ServiceSpec.internalTrafficPolicy': trafficPolicy,
  'ServiceSpec.ipFamilies': ['IPv4', 'IPv6'],
  'ServiceSpec.ipFamilyPolicy': ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
  'ServiceSpec.sessionAffinity': ['ClientIP', 'None'],
  'ServiceSpec.type': ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
  'StatefulSetSpec.podManagementPolicy': ['OrderedReady', 'Parallel'],
  'StatefulSetUpdateStrategy.type': ['OnDelete', 'RollingUpdate'],
  'StorageClass.reclaimPolicy': ['Delete', 'Retain'],
  'StorageClass.volumeBindingMode': ['Immediate', 'WaitForFirstConsumer'],
  'Toleration.effect': ['', 'NoExecute', 'NoSchedule', 'PreferNoSchedule'],
  'Toleration.operator': ['Equal', 'Exists'],
  'TopologySpreadConstraint.whenUnsatisfiable': ['DoNotSchedule', 'ScheduleAnyway'],
  'ValidatingAdmissionPolicyBindingSpec.validationActions': ['Audit', 'Deny', 'Warn'],
  'ValidatingAdmissionPolicySpec.failurePolicy': failurePolicy,
  'ValidatingWebhook.failurePolicy': failurePolicy,
  'ValidatingWebhook.matchPolicy': matchPolicy,
  'ValidatingWebhook.sideEffects': ['None', 'NoneOnDryRun'],
};
