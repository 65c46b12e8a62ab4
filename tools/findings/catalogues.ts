import { CONTROL_PLANE_FINDINGS } from '../../lib/constructs/control-plane/findings';
import { FLEET_FINDINGS } from '../../lib/constructs/fleet/findings';
import { MESHING_FINDINGS } from '../../lib/constructs/meshing/findings';
import { MULTICLUSTER_FINDINGS } from '../../lib/constructs/multicluster/findings';
import { MULTUS_FINDINGS } from '../../lib/constructs/multus/findings';
import { OPERATOR_FINDINGS } from '../../lib/constructs/operator/findings';
import { PKI_FINDINGS } from '../../lib/constructs/pki/findings';
import { POLICY_FINDINGS } from '../../lib/constructs/policy/findings';
import { RECIPES_FINDINGS } from '../../lib/constructs/recipes/findings';
import { ROTATION_FINDINGS } from '../../lib/constructs/rotation/findings';
import { TRACING_FINDINGS } from '../../lib/constructs/tracing/findings';
import { VIZ_FINDINGS } from '../../lib/constructs/viz/findings';
import { ARGOCD_FINDINGS } from '../../lib/gitops/argocd/findings';
import { CHANGE_FINDINGS } from '../../lib/gitops/changes/findings';
import { CHART_FINDINGS } from '../../lib/gitops/charts/findings';
import { OBJECT_CHECKS } from '../../lib/kubernetes/checks/findings';
import { KUBERNETES_FINDINGS } from '../../lib/kubernetes/findings/findings';
import { LINKERD_CHART_FINDINGS } from '../../lib/linkerd/charts/findings';
import { LINKERD_FINDINGS } from '../../lib/linkerd/findings';
import { LINKERD_POLICY_FINDINGS } from '../../lib/linkerd/policy/findings';
import { INJECTION_FINDINGS } from '../../operator/api/injection/findings';
import { entriesOf } from '../../operator/api/kubernetes/catalogue';
import { PROXY_VALUE_FINDINGS } from '../../operator/api/proxy-values/findings';

/** All findings of the library, by the folder whose rules make them. */
export const CATALOGUE = [
  INJECTION_FINDINGS,
  PROXY_VALUE_FINDINGS,
  CONTROL_PLANE_FINDINGS,
  FLEET_FINDINGS,
  MESHING_FINDINGS,
  MULTICLUSTER_FINDINGS,
  MULTUS_FINDINGS,
  OBJECT_CHECKS,
  OPERATOR_FINDINGS,
  PKI_FINDINGS,
  POLICY_FINDINGS,
  RECIPES_FINDINGS,
  ROTATION_FINDINGS,
  TRACING_FINDINGS,
  VIZ_FINDINGS,
  ARGOCD_FINDINGS,
  CHANGE_FINDINGS,
  CHART_FINDINGS,
  KUBERNETES_FINDINGS,
  LINKERD_CHART_FINDINGS,
  LINKERD_FINDINGS,
  LINKERD_POLICY_FINDINGS,
].flatMap((one) => entriesOf(one));
