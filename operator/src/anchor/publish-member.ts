import { MEMBER_CONFIG_MAP, MEMBER_LABEL } from '../../api/trust-anchor';
import { CONFIG_MAPS } from '../runtime/objects/built-in-resources';
import { kubeTime } from '../runtime/objects/kube-time';
import type { ActionContext } from './act/action-context';
import { rootPem } from './act/mesh-actions';
import type { ConfigMap } from './objects/trust-anchor';
import { memberData } from './observe/members';

/** Publishes this cluster's report for the clusters that share the anchor, to which a user or a tool copies it. */
export async function publishMember(context: ActionContext): Promise<void> {
  const { client, signal, anchor, view, known, plan, clock } = context;
  const { cluster, certManagerNamespace: namespace } = anchor.spec;
  if (cluster === undefined || plan.told === undefined) return;
  const data = memberData(cluster, plan.told, (key) => rootPem(key, known));
  const before = view.configMaps.find(({ metadata }) => metadata.name === MEMBER_CONFIG_MAP)?.data;
  const isSame = Object.entries(data).every(([key, value]) => before?.[key] === value);
  if (isSame) return;
  const configMap: ConfigMap = {
    metadata: {
      name: MEMBER_CONFIG_MAP,
      namespace,
      labels: { 'app.kubernetes.io/part-of': 'Linkerd', [MEMBER_LABEL]: 'this-cluster' },
    },
    data: { ...data, updated: kubeTime(clock()) },
  };
  await client.apply(CONFIG_MAPS, configMap, { force: true, signal });
}
