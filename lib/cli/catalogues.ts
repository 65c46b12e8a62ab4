import { BRIDGE_FINDINGS } from '#anchor/findings';
import { entriesOf } from '#base/findings/catalogue';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { FIELD_FINDINGS } from '#kubernetes/schemas/findings';
import { ANY_CHART_FINDINGS } from '#linkerd/charts/findings';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { INJECTION_FINDINGS } from '#linkerd/injection/findings';
import { PROXY_VALUE_FINDINGS } from '#linkerd/proxy-values/findings';
import { CHART_FAULT_FINDINGS, LINKERD_CHART_FINDINGS } from '#linkerd/renderers/findings';
import { WEBHOOK_FINDINGS } from '#operator/api/webhooks/findings';
import { OBJECT_CHECKS } from '../checks/findings';
import { FLEET_RELEASE_FINDINGS, MESHED_PODS_FINDINGS } from '../checks/linkerd/findings';
import { POLICY_ADMISSION_FINDINGS } from '../checks/policy/admission-findings';
import { LINKERD_POLICY_FINDINGS } from '../checks/policy/findings';
import { CONTROL_PLANE_FINDINGS } from '../constructs/control-plane/findings';
import { FLEET_FINDINGS } from '../constructs/fleet/findings';
import { MESHING_FINDINGS } from '../constructs/meshing/findings';
import { MONITORING_FINDINGS } from '../constructs/monitoring/findings';
import { MULTICLUSTER_FINDINGS } from '../constructs/multicluster/findings';
import { MULTUS_FINDINGS } from '../constructs/multus/findings';
import { OPERATOR_FINDINGS } from '../constructs/operator/findings';
import { PKI_FINDINGS } from '../constructs/pki/findings';
import { POLICY_FINDINGS } from '../constructs/policy/findings';
import { RECIPES_FINDINGS } from '../constructs/recipes/findings';
import { ROTATION_FINDINGS } from '../constructs/rotation/findings';
import { TRACING_FINDINGS } from '../constructs/tracing/findings';
import { VIZ_FINDINGS } from '../constructs/viz/findings';
import { ARGOCD_FINDINGS } from '../gitops/argocd/findings';
import { CHANGE_FINDINGS } from '../gitops/changes/findings';
import { CHART_FINDINGS } from '../gitops/charts/findings';
import { PLATFORM_FINDINGS } from '../gitops/platform/findings';
import { SYNTH_FINDINGS } from '../gitops/synth/findings';
import { TREE_FINDINGS } from '../gitops/tree/findings';
import { DOCTOR_FINDINGS } from '../review/doctor/findings';
import { REVIEW_FINDINGS } from '../review/findings';
import { APPLICATION_FINDINGS } from '../review/status/application-findings';
import { STATUS_FINDINGS } from '../review/status/findings';
import { INTENT_FINDINGS } from '../review/status/intent-findings';
import { TRAFFIC_FINDINGS } from '../review/status/traffic-findings';
import { CLI_FINDINGS } from './findings';
import { LINT_FINDINGS } from './lint/findings';

/** The findings of one area, such as the PKI. */
export interface FindingsRoom {
  /** Name of the area. */
  readonly room: string;
  /** The page of the documentation that explains the subject. */
  readonly page?: string;
  readonly findings: Parameters<typeof entriesOf>[0];
}

/** All catalogues of the library. */
export const CATALOGUES: readonly FindingsRoom[] = [
  { room: 'Injection', findings: INJECTION_FINDINGS },
  { room: 'Proxy values', page: 'docs/operator.md', findings: PROXY_VALUE_FINDINGS },
  { room: 'Control plane', findings: CONTROL_PLANE_FINDINGS },
  { room: 'Fleets', page: 'docs/fleets.md', findings: FLEET_FINDINGS },
  { room: 'Meshing', findings: MESHING_FINDINGS },
  { room: 'Alerts and dashboards', page: 'docs/alerts.md', findings: MONITORING_FINDINGS },
  { room: 'Multicluster', page: 'docs/multicluster.md', findings: MULTICLUSTER_FINDINGS },
  { room: 'Multus', page: 'docs/openshift.md', findings: MULTUS_FINDINGS },
  { room: 'Objects', findings: OBJECT_CHECKS },
  { room: 'Operator', page: 'docs/operator.md', findings: OPERATOR_FINDINGS },
  { room: 'Webhooks of the operator', page: 'docs/operator.md', findings: WEBHOOK_FINDINGS },
  { room: 'Bridges of trust anchors', page: 'docs/trust-anchor.md', findings: BRIDGE_FINDINGS },
  { room: 'Certificates', page: 'docs/pki.md', findings: PKI_FINDINGS },
  { room: 'Policy constructs', page: 'docs/policy.md', findings: POLICY_FINDINGS },
  { room: 'Recipes', findings: RECIPES_FINDINGS },
  { room: 'Comparisons', page: 'docs/upgrading.md', findings: REVIEW_FINDINGS },
  { room: 'Applications of clusters', page: 'docs/status.md', findings: APPLICATION_FINDINGS },
  { room: 'Status of clusters', page: 'docs/status.md', findings: STATUS_FINDINGS },
  { room: 'Outputs of rings', page: 'docs/status.md', findings: INTENT_FINDINGS },
  { room: 'Traffic of clusters', page: 'docs/status.md', findings: TRAFFIC_FINDINGS },
  { room: 'Causes in clusters', page: 'docs/doctor.md', findings: DOCTOR_FINDINGS },
  { room: 'Rotation', page: 'docs/pki.md', findings: ROTATION_FINDINGS },
  { room: 'Tracing', findings: TRACING_FINDINGS },
  { room: 'Viz', findings: VIZ_FINDINGS },
  { room: 'Argo CD', page: 'docs/fleets.md', findings: ARGOCD_FINDINGS },
  { room: 'Changes of the output', page: 'docs/upgrading.md', findings: CHANGE_FINDINGS },
  { room: 'Pins of charts', findings: ANY_CHART_FINDINGS },
  { room: 'Charts', findings: CHART_FINDINGS },
  { room: 'Platform', page: 'docs/fleets.md', findings: PLATFORM_FINDINGS },
  { room: 'Output', findings: SYNTH_FINDINGS },
  { room: 'Constructs', findings: TREE_FINDINGS },
  { room: 'Command line', findings: CLI_FINDINGS },
  { room: 'Checks of manifests', page: 'docs/lint.md', findings: LINT_FINDINGS },
  { room: 'Values of all kinds', findings: KUBERNETES_FINDINGS },
  { room: 'Fields of objects, and values of charts', findings: FIELD_FINDINGS },
  { room: 'Charts that cannot be rendered', page: 'docs/charts.md', findings: CHART_FAULT_FINDINGS },
  { room: "Values of Linkerd's charts", findings: LINKERD_CHART_FINDINGS },
  { room: 'Releases', page: 'docs/reference/releases.md', findings: LINKERD_FINDINGS },
  { room: 'Pods in the mesh', findings: MESHED_PODS_FINDINGS },
  { room: 'Releases of a fleet', page: 'docs/fleets.md', findings: FLEET_RELEASE_FINDINGS },
  { room: 'Policies', page: 'docs/policy.md', findings: LINKERD_POLICY_FINDINGS },
  { room: 'Policies at admission', page: 'docs/policy.md', findings: POLICY_ADMISSION_FINDINGS },
];

/** All findings of the library. */
export const CATALOGUE = CATALOGUES.flatMap(({ findings }) => entriesOf(findings));
