/** The place of the pod's specification in the kinds that have one. */
export const POD_SPEC: Readonly<Record<string, string>> = {
  '/Pod': 'spec',
  '/PodTemplate': 'template.spec',
  '/ReplicationController': 'spec.template.spec',
  'apps/DaemonSet': 'spec.template.spec',
  'apps/Deployment': 'spec.template.spec',
  'apps/ReplicaSet': 'spec.template.spec',
  'apps/StatefulSet': 'spec.template.spec',
  'argoproj.io/Rollout': 'spec.template.spec',
  'batch/CronJob': 'spec.jobTemplate.spec.template.spec',
  'batch/Job': 'spec.template.spec',
};
