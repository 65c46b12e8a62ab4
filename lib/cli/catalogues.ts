import { INJECTION_FINDINGS } from '../../operator/api/injection/findings';
import { entriesOf } from '../../operator/api/kubernetes/catalogue';
import { PROXY_VALUE_FINDINGS } from '../../operator/api/proxy-values/findings';
import { CONTROL_PLANE_FINDINGS } from '../constructs/control-plane/findings';
import { FLEET_FINDINGS } from '../constructs/fleet/findings';
import { MESHING_FINDINGS } from '../constructs/meshing/findings';
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
import { OBJECT_CHECKS } from '../kubernetes/checks/findings';
import { KUBERNETES_FINDINGS } from '../kubernetes/findings/findings';
import { LINKERD_CHART_FINDINGS } from '../linkerd/charts/findings';
import { LINKERD_FINDINGS } from '../linkerd/findings';
import { LINKERD_POLICY_FINDINGS } from '../linkerd/policy/findings';
import { REVIEW_FINDINGS } from '../review/findings';
import { CLI_FINDINGS } from './findings';

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
  REVIEW_FINDINGS,
  ROTATION_FINDINGS,
  TRACING_FINDINGS,
  VIZ_FINDINGS,
  ARGOCD_FINDINGS,
  CHANGE_FINDINGS,
  CHART_FINDINGS,
  CLI_FINDINGS,
  KUBERNETES_FINDINGS,
  LINKERD_CHART_FINDINGS,
  LINKERD_FINDINGS,
  LINKERD_POLICY_FINDINGS,
].flatMap((one) => entriesOf(one));
