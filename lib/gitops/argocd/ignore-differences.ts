import type { Problem } from '#base/findings/problem';
import type { ClusterInventory } from '../synth/inventory';
import type { IgnoreDifference } from '../tree/ignore-difference';
import { ARGOCD_FINDINGS } from './findings';
import { groupKind } from './group-kind';

const WEBHOOK_CA_BUNDLES = ['.webhooks[]?.clientConfig.caBundle'];

/**
 * The fields in which cert-manager's cainjector sets the CA of an object that is applied without one. All output omits
 * these fields: their live values always come from cainjector.
 */
const INJECTED: readonly (readonly [kind: string, Pick<IgnoreDifference, 'jqPathExpressions' | 'jsonPointers'>])[] = [
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', { jqPathExpressions: WEBHOOK_CA_BUNDLES }],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', { jqPathExpressions: WEBHOOK_CA_BUNDLES }],
  ['apiregistration.k8s.io/APIService', { jsonPointers: ['/spec/caBundle'] }],
];

/**
 * Returns the fields to ignore for the deployed kinds: only the CAs that cainjector injects (cert-manager and
 * trust-manager do not change the specs of Issuers, Certificates and Bundles).
 *
 * Server-side diff, which the Applications use, does not report these fields, because another field manager owns them.
 * The entries matter where server-side diff is off. `RespectIgnoreDifferences` is not set. With server-side apply it
 * makes Argo CD apply the live value of an ignored field and co-own it with cainjector: a sync during a rotation would
 * write an old CA back (argo-cd v3.5.1, controller/sync.go, normalizeTargetResources).
 */
export function injectedFields(kinds: ReadonlySet<string>): readonly IgnoreDifference[] {
  return INJECTED.filter(([kind]) => kinds.has(kind)).map(([kind, fields]) => ({ ...groupKind(kind), ...fields }));
}

/** The definition of LinkerdConfigs: an output that contains it deploys an operator. */
const LINKERD_CONFIG = 'linkerdconfigs.config.linkerd.io';

/**
 * Returns the fields that the operator overrides, if it is deployed: the values in linkerd-config. Otherwise self-heal
 * would revert them, and the operator would write them again, forever.
 *
 * A change of the values in Git still reaches the cluster: the injector's Deployment carries a checksum of them, so the
 * Application differs, and a sync applies all of its objects, including ignored fields. The operator then applies its
 * values again.
 */
export function reconciledFields(inventories: readonly ClusterInventory[]): readonly IgnoreDifference[] {
  const objects = inventories.flatMap(({ folders }) => folders.flatMap((folder) => folder.objects));
  return objects.some(({ kind, name }) => kind === 'CustomResourceDefinition' && name === LINKERD_CONFIG)
    ? [{ ...groupKind('/ConfigMap'), name: 'linkerd-config', jsonPointers: ['/data/values'] }]
    : [];
}

/**
 * Returns the fields that other controllers change in deployed objects, such as Argo Rollouts during a rollout.
 *
 * An ignored field is only hidden from the comparison: a sync applies all objects of its Application, including ignored
 * fields. The Applications of these objects therefore set `ApplyOutOfSyncOnly=true` (`templatePatch`), with which a
 * sync skips objects that do not differ (argo-cd v3.5.1, gitops-engine/pkg/sync, filterOutOfSyncTasks).
 * `RespectIgnoreDifferences` would apply their live values. For custom resources it keeps whole lists, and weights of
 * routes are in lists: no change of a rule in Git would ever reach the cluster, not even between rollouts
 * (controller/sync.go, getMergePatch).
 */
export function leftFields(inventories: readonly ClusterInventory[]): readonly IgnoreDifference[] {
  const fields = inventories.flatMap(({ folders }) => folders.flatMap(({ left = [] }) => left));
  const once = new Map(fields.map((field) => [JSON.stringify(field), field]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, field]) => field);
}

/** Reports entries of the user that would ignore nothing, or fail. */
export function checkIgnoreDifferences(entries: readonly IgnoreDifference[] = []): readonly Problem[] {
  return entries.flatMap((entry, index) => {
    const field = `ignoreDifferences[${index}]`;
    const paths = [...(entry.jsonPointers ?? []), ...(entry.jqPathExpressions ?? [])];
    const problems: Problem[] = (entry.jsonPointers ?? [])
      .filter((pointer) => !pointer.startsWith('/'))
      .map((pointer) =>
        ARGOCD_FINDINGS.ignoreDifferenceRefusedPointer({
          field,
          pointer,
          suggestion: `/${pointer.replace(/^[.$]*/, '').replaceAll('.', '/')}`,
        }),
      );
    if (paths.length + (entry.managedFieldsManagers?.length ?? 0) === 0) {
      problems.push(ARGOCD_FINDINGS.ignoreDifferenceRefusedFieldMissing({ field, kind: entry.kind }));
    }
    if (JSON.stringify(entry).includes('{{')) {
      problems.push(ARGOCD_FINDINGS.templateInExpression({ field }));
    }
    return problems;
  });
}
