import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';

function withResources({ resources }: Named<'resources'>): string {
  return resources === '' ? '' : `: ${resources}`;
}

/** Findings about the Applications and ApplicationSets of Argo CD. */
export const APPLICATION_FINDINGS = catalogue({
  'applications-missing': {
    severity: 'error',
    what: ({ folders }: Named<'folders'>) => `Argo CD has no Applications for these folders: ${folders}`,
    why: 'Argo CD does not deploy or repair their objects',
    fix: 'apply the folder argocd of the output to the cluster of Argo CD, and check that the revision of the ring exists',
  },
  'applications-left': {
    severity: 'note',
    what: ({ names }: Named<'names'>) => `Argo CD has Applications for folders that are not in the output: ${names}`,
    why: 'Their objects stay in the cluster, and are not updated',
    fix: 'delete them with argocd app delete; docs/operations.md explains what --cascade deletes',
  },
  'application-set-missing': {
    severity: 'error',
    what: ({ name }: Named<'name'>) => `Argo CD has no ApplicationSet ${name}`,
    why: 'New folders get no Applications, and existing Applications are not updated',
    fix: 'apply the folder argocd of the output to the cluster of Argo CD',
  },
  'application-set-failed': {
    severity: 'error',
    what: ({ name, reason, message }: Named<'name' | 'reason' | 'message'>) =>
      `The ApplicationSet ${name} does not generate its Applications (${reason}): ${message}`,
    why: 'New folders get no Applications, and existing Applications are not updated',
    fix: ({ name }: Named<'name'>) => `run argocd appset get ${name}; the revision of a ring may not exist`,
  },
  'application-elsewhere': {
    severity: 'error',
    what: ({ name, field, actual, expected }: Named<'name' | 'field' | 'actual' | 'expected'>) =>
      `The Application ${name} has the ${field} ${actual}, not ${expected}`,
    why: 'The Application does not deploy the current output',
    fix: 'apply the folder argocd of the output to the cluster of Argo CD',
  },
  'application-other-commit': {
    severity: 'error',
    what: ({ name, actual, expected }: Named<'name' | 'actual' | 'expected'>) =>
      `The Application ${name} is at the commit ${actual}, not ${expected}`,
    why: 'The Application does not deploy the change yet',
    fix: ({ name }: Named<'name'>) => `run argocd app get ${name} --refresh`,
  },
  'application-other-commit/unknown': {
    severity: 'error',
    what: ({ name, expected }: Named<'name' | 'expected'>) =>
      `The commit of the Application ${name} is unknown, and should be ${expected}`,
    why: 'The Application does not deploy the change yet',
    fix: ({ name }: Named<'name'>) => `run argocd app get ${name} --refresh`,
  },
  'applications-apart': {
    severity: 'warning',
    what: ({ commits }: Named<'commits'>) => `The Applications of the cluster are at different commits: ${commits}`,
    why: 'They deploy parts of different states until each has been refreshed',
    fix: 'wait some minutes; if the commits still differ, refresh the Applications that are behind',
  },
  'application-out-of-sync': {
    severity: 'error',
    what: ({ name, sync, resources }: Named<'name' | 'sync' | 'resources'>) =>
      `The Application ${name} is ${sync}${withResources({ resources })}`,
    why: 'The cluster differs from Git, or Argo CD cannot compare them',
    fix: ({ name }: Named<'name'>) => `run argocd app diff ${name}`,
  },
  'application-sync-failed': {
    severity: 'error',
    what: ({ name, message }: Named<'name' | 'message'>) =>
      `The last sync of the Application ${name} failed: ${message}`,
    why: 'Changes in Git have not reached the cluster',
    fix: ({ name }: Named<'name'>) => `run argocd app get ${name} --show-operation`,
  },
  'application-stale': {
    severity: 'warning',
    what: ({ name }: Named<'name'>) => `Argo CD has not compared the Application ${name} for 15 minutes`,
    why: 'Its status may be outdated: the controller of Argo CD does not run, is behind, or has a longer timeout.reconciliation',
    fix: ({ name }: Named<'name'>) => `run argocd app get ${name} --refresh`,
  },
  'application-invalid': {
    severity: 'error',
    what: ({ name, condition, message }: Named<'name' | 'condition' | 'message'>) =>
      `The Application ${name} has the condition ${condition}: ${message}`,
    why: 'Argo CD does not sync it until the condition is gone',
    fix: ({ name }: Named<'name'>) => `run argocd app get ${name}`,
  },
  'application-contested': {
    severity: 'warning',
    what: ({ name, condition, message }: Named<'name' | 'condition' | 'message'>) =>
      `The Application ${name} has the condition ${condition}: ${message}`,
    why: 'Argo CD may not apply the object of this Application: another Application contains it too, this Application contains it more than once, or the settings exclude its kind',
    fix: ({ name }: Named<'name'>) =>
      `remove the object from the other Application, its repetitions from this one, or its kind from resource.exclusions of argocd-cm; run argocd app get ${name} --hard-refresh`,
  },
  'application-unhealthy': {
    severity: 'error',
    what: ({ name, health, resources }: Named<'name' | 'health' | 'resources'>) =>
      `The Application ${name} is ${health}${withResources({ resources })}`,
    why: 'Some of its objects are not healthy, or are missing in the cluster',
    fix: ({ name }: Named<'name'>) => `run argocd app resources ${name}`,
  },
  'application-progressing': {
    severity: 'warning',
    what: ({ name, health, resources }: Named<'name' | 'health' | 'resources'>) =>
      `The Application ${name} is ${health}${withResources({ resources })}`,
    why: 'Its objects are not healthy yet, which blocks a promotion',
    fix: ({ name }: Named<'name'>) => `run argocd app wait ${name} --health`,
  },
  'application-progressing/syncing': {
    severity: 'warning',
    what: ({ name, resources }: Named<'name' | 'resources'>) =>
      `The Application ${name} is being synced${withResources({ resources })}`,
    why: 'The next sync starts only after this one',
    fix: ({ name }: Named<'name'>) => `run argocd app wait ${name} --operation`,
  },
  'applications-unread': {
    severity: 'warning',
    what: ({ reason }: Named<'reason'>) => `The Applications of Argo CD cannot be read: ${reason}`,
    why: 'It is unknown whether the clusters are synced',
    fix: 'set the context of the cluster of Argo CD with --argocd-context',
  },
});
