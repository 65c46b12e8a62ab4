import { INJECTION } from '../../operator/api/injection/findings';
import { entriesOf } from '../../operator/api/kubernetes/catalogue';
import { PROXY_VALUES } from '../../operator/api/proxy-values/findings';
import { CONTROL_PLANE_FINDINGS } from '../constructs/control-plane/findings';
import { FLEET_FINDINGS } from '../constructs/fleet/findings';
import { MESHING_FINDINGS } from '../constructs/meshing/findings';
import { MULTICLUSTER_FINDINGS } from '../constructs/multicluster/findings';
import { MULTUS_FINDINGS } from '../constructs/multus/findings';
import { OPERATOR_FINDINGS } from '../constructs/operator/findings';
import { PKI_FINDINGS } from '../constructs/pki/findings';
import { POLICY_FINDINGS } from '../constructs/policy/findings';
import { RECIPES_FINDINGS } from '../constructs/recipes/findings';
import { ROTATION } from '../constructs/rotation/findings';
import { TRACING_FINDINGS } from '../constructs/tracing/findings';
import { VIZ_FINDINGS } from '../constructs/viz/findings';
import { ARGOCD } from '../gitops/argocd/findings';
import { CHANGES } from '../gitops/changes/findings';
import { CHARTS } from '../gitops/charts/findings';
import { OBJECT_CHECKS } from '../kubernetes/checks/findings';
import { KUBERNETES } from '../kubernetes/findings/findings';
import { LINKERD_CHARTS } from '../linkerd/charts/findings';
import { LINKERD } from '../linkerd/findings';
import { POLICY } from '../linkerd/policy/findings';

/** All findings of the library, by the folder whose rules make them. */
export const CATALOGUE = [
  INJECTION,
  PROXY_VALUES,
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
  ROTATION,
  TRACING_FINDINGS,
  VIZ_FINDINGS,
  ARGOCD,
  CHANGES,
  CHARTS,
  KUBERNETES,
  LINKERD_CHARTS,
  LINKERD,
  POLICY,
].flatMap((one) => entriesOf(one));
