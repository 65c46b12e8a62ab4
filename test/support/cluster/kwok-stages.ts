import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A requirement on the result of a jq query. */
interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** The steps that kwok carries out on an object that meets all requirements. */
interface Stage {
  readonly kind: 'Node' | 'Pod';
  readonly when: readonly Requirement[];
  readonly steps: readonly object[];
}

/** A step that changes the status by a YAML template, with the functions of sprig and kwok. */
const status = (template: string) => ({ patch: { subresource: 'status', root: 'status', template } });

const READY_NODE = `
{{ $now := Now | Quote }}
addresses: [{ type: InternalIP, address: {{ NodeIP | Quote }} }]
allocatable: &resources { cpu: 1k, memory: 1Ti, pods: 1M }
capacity: *resources
conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now }}
  lastTransitionTime: {{ $now }}
{{ end }}
`;

/** The status of a running pod: init containers have ended, except sidecars. */
const RUNNING_POD = `
{{ $now := Now | Quote }}
{{ $running := printf "{ running: { startedAt: %s } }" $now }}
{{ $completed := printf "{ terminated: { exitCode: 0, reason: Completed, startedAt: %s, finishedAt: %s } }" $now $now }}
phase: Running
startTime: {{ $now }}
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ PodIPWith .spec.nodeName (or .spec.hostNetwork false) .metadata.uid .metadata.name .metadata.namespace | Quote }}
conditions:
{{ range list "Initialized" "ContainersReady" "Ready" }}
- { type: {{ . }}, status: "True", lastTransitionTime: {{ $now }} }
{{ end }}
{{ range .spec.readinessGates }}
- { type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: {{ $now }} }
{{ end }}
initContainerStatuses:
{{ range .spec.initContainers }}
{{ $sidecar := eq (or .restartPolicy "") "Always" }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: true
  restartCount: 0
  started: {{ $sidecar }}
  state: {{ if $sidecar }}{{ $running }}{{ else }}{{ $completed }}{{ end }}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: true
  restartCount: 0
  started: true
  state: {{ $running }}
{{ end }}
`;

const COMPLETED_POD = `
{{ $now := Now | Quote }}
phase: Succeeded
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: false
  restartCount: 0
  started: false
  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now }}, finishedAt: {{ $now }} } }
{{ end }}
`;

const NOT_DELETED: Requirement = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };

/** The stages of nodes and pods. A node needs only one, because kwok itself renews its Lease. */
const STAGES: Readonly<Record<string, Stage>> = {
  'node-ready': {
    kind: 'Node',
    when: [{ key: '.status.conditions[] | select(.type == "Ready").status', operator: 'NotIn', values: ['True'] }],
    steps: [status(READY_NODE)],
  },
  'pod-running': {
    kind: 'Pod',
    when: [NOT_DELETED, { key: '.status.podIP', operator: 'DoesNotExist' }],
    steps: [status(RUNNING_POD)],
  },
  'pod-completed': {
    kind: 'Pod',
    when: [
      NOT_DELETED,
      { key: '.status.phase', operator: 'In', values: ['Running'] },
      { key: '.metadata.ownerReferences[].kind', operator: 'In', values: ['Job'] },
    ],
    steps: [status(COMPLETED_POD)],
  },
  'pod-deleted': {
    kind: 'Pod',
    when: [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }],
    // Finalizers are removed at once, also those for which a controller, such as that of Jobs, would have to act.
    steps: [{ finalizers: { empty: true } }, { delete: true }],
  },
};

/** Writes kwok's configuration. kwok has no built-in stages. */
export function writeKwokStages(dir: string): void {
  const documents = Object.entries(STAGES).map(([name, { kind, when, steps }]) => ({
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: { resourceRef: { apiGroup: 'v1', kind }, selector: { matchExpressions: when.map((jq) => ({ jq })) }, steps },
  }));
  // JSON is YAML too.
  writeFileSync(join(dir, 'kwok-stages.yaml'), documents.map((one) => `${JSON.stringify(one)}\n`).join('---\n'));
}
