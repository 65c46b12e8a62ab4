import { Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import type { CronJob } from '#imports/kubernetes';
import { INJECT } from '#linkerd/annotations';
import {
  longestRotationSeconds,
  RENEWAL_REFUSED_EXIT,
  type RotationUnit,
  rotationArguments,
} from '#operator/api/rotation';
import type { OperatorImage } from '../../gitops/tree/operator-image';
import { operatorPod } from '../operator/operator-pod';

/** Maximum delay of a run's start, in seconds. */
export const START_WITHIN_SECONDS = 600;

/** Label of a Job's pods (kubernetes.io/docs, well-known labels; since Kubernetes 1.27). */
const JOB_UID = 'batch.kubernetes.io/controller-uid';

const CONTAINER = 'rotate';

const MIN_SECONDS = 600;
/** Time until the program runs: to schedule its pod and pull its image. */
const POD_START_SECONDS = 60;

/**
 * Returns the maximum time for a run, including all attempts: enough for a run in which every step is slow and none
 * fails.
 */
export function activeDeadlineSeconds(units: readonly RotationUnit[]): number {
  return Math.max(MIN_SECONDS, POD_START_SECONDS + longestRotationSeconds(units));
}

/** The job, and its schedule. */
export interface RotationJob {
  readonly name: string;
  readonly namespace: string;
  /** Times of the runs, in cron syntax and UTC. */
  readonly schedule: string;
  /** Returns the units to rotate. Called at synth. */
  readonly units: () => readonly RotationUnit[];
  readonly image: OperatorImage;
  /** Whether the nodes run OpenShift. */
  readonly openShift: boolean;
}

/** Returns the CronJob. Emits the objects of its image under `scope`. */
export function rotationJob(scope: Construct, job: RotationJob): CronJob {
  const { name, namespace, image, openShift, units } = job;
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'linkerd-reconciler' };
  const pod = operatorPod(scope, {
    image,
    namespace,
    openShift,
    container: {
      name: CONTAINER,
      args: Lazy.any({ produce: () => ['rotate', ...rotationArguments(units())] }),
      env: [
        {
          name: 'RUN_ID',
          // Not the Job's name, which another Job may get later.
          valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${JOB_UID}']` } },
        },
      ],
      resources: { requests: { cpu: '100m', memory: '96Mi' }, limits: { memory: '192Mi' } },
    },
    pod: {
      serviceAccountName: name,
      automountServiceAccountToken: true,
      restartPolicy: 'Never',
      nodeSelector: { 'kubernetes.io/os': 'linux' },
    },
  });
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace, labels },
    spec: {
      schedule: job.schedule,
      // The time zone of the controller manager may have a night with an extra hour.
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: START_WITHIN_SECONDS,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          // An attempt continues where the previous one failed.
          backoffLimit: 2,
          podFailurePolicy: {
            rules: [
              {
                action: 'FailJob',
                onExitCodes: { containerName: CONTAINER, operator: 'In', values: [RENEWAL_REFUSED_EXIT] },
              },
            ],
          },
          activeDeadlineSeconds: Lazy.any({ produce: () => activeDeadlineSeconds(units()) }),
          template: { metadata: { labels, annotations: { [INJECT]: 'disabled' } }, spec: pod },
        },
      },
    },
  };
}
