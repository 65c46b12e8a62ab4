import type { Problem } from '../../kubernetes/findings/problem';
import type { IgnoreDifference } from '../../kubernetes/ignore-difference';
import type { ClusterInventory } from '../synth/inventory';
import { ARGOCD_FINDINGS } from './findings';
import { groupKind } from './group-kind';

const WEBHOOK_CA_BUNDLES = ['.webhooks[]?.clientConfig.caBundle'];

/**
 * The fields in which cert-manager's cainjector puts the CA into an object that was applied without one. All output
 * leaves these fields out, so whatever is there is cainjector's.
 */
const INJECTED: readonly (readonly [kind: string, Pick<IgnoreDifference, 'jqPathExpressions' | 'jsonPointers'>])[] = [
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', { jqPathExpressions: WEBHOOK_CA_BUNDLES }],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', { jqPathExpressions: WEBHOOK_CA_BUNDLES }],
  ['apiregistration.k8s.io/APIService', { jsonPointers: ['/spec/caBundle'] }],
];

/**
 * Returns what to ignore, given the kinds that are deployed: the CAs that cainjector injects, and nothing else
 * (cert-manager and trust-manager leave the specs of Issuers, Certificates and Bundles alone).
 *
 * Server-side diff, which the Applications ask for, does not report these fields anyway, as another field manager owns
 * them; the entries serve where it is turned off. `RespectIgnoreDifferences` is not set along with them: under
 * server-side apply it makes Argo CD apply the live value of an ignored field, own it from then on together with
 * cainjector, and write an old CA back when it syncs during a rotation (argo-cd v3.5.1, controller/sync.go,
 * normalizeTargetResources).
 */
export function injectedFields(kinds: ReadonlySet<string>): readonly IgnoreDifference[] {
  return INJECTED.filter(([kind]) => kinds.has(kind)).map(([kind, fields]) => ({ ...groupKind(kind), ...fields }));
}

/** By this definition an operator is known: whoever may apply LinkerdConfigs has one to carry them out. */
const LINKERD_CONFIG = 'linkerdconfigs.config.linkerd.io';

/**
 * Returns what the operator lays over the installation, if it is deployed: the values in linkerd-config. Self-heal
 * would undo them, and the operator write them again, for ever.
 *
 * A change of the values in Git still reaches the cluster: the injector's Deployment carries a checksum of them, so that
 * the Application differs, and a sync applies all of its objects, ignored fields included. The operator then lays its
 * values over the new ones.
 */
export function reconciledFields(inventories: readonly ClusterInventory[]): readonly IgnoreDifference[] {
  const objects = inventories.flatMap(({ folders }) => folders.flatMap((folder) => folder.objects));
  return objects.some(({ kind, name }) => kind === 'CustomResourceDefinition' && name === LINKERD_CONFIG)
    ? [{ ...groupKind('/ConfigMap'), name: 'linkerd-config', jsonPointers: ['/data/values'] }]
    : [];
}

/**
 * Returns the fields that other controllers change in the objects that are deployed, Argo Rollouts in the middle of a
 * rollout for instance.
 *
 * An ignored field is hidden from comparison only: a sync applies all objects of its Application, ignored fields included.
 * The Applications of these objects therefore have `ApplyOutOfSyncOnly=true` (`templatePatch`), by which a sync passes by
 * what does not differ (argo-cd v3.5.1, gitops-engine/pkg/sync, filterOutOfSyncTasks). `RespectIgnoreDifferences` would
 * apply live values for them. Of custom resources it takes whole lists, and weights of routes are in lists: no change of
 * a rule in Git would reach the cluster again, between rollouts either (controller/sync.go, getMergePatch).
 */
export function leftFields(inventories: readonly ClusterInventory[]): readonly IgnoreDifference[] {
  const fields = inventories.flatMap(({ folders }) => folders.flatMap(({ left = [] }) => left));
  const once = new Map(fields.map((field) => [JSON.stringify(field), field]));
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, field]) => field);
}

/** Reports what of the user's own entries would ignore nothing, or fail. */
export function checkIgnoreDifferences(entries: readonly IgnoreDifference[] = []): readonly Problem[] {
  return entries.flatMap((entry, index) => {
    const field = `ignoreDifferences[${index}]`;
    const paths = [...(entry.jsonPointers ?? []), ...(entry.jqPathExpressions ?? [])];
    const problems: Problem[] = (entry.jsonPointers ?? [])
      .filter((pointer) => !pointer.startsWith('/'))
      .map((pointer) =>
        ARGOCD_FINDINGS.jsonPointerRefused({
          field,
          pointer,
          suggestion: `/${pointer.replace(/^[.$]*/, '').replaceAll('.', '/')}`,
        }),
      );
    if (paths.length + (entry.managedFieldsManagers?.length ?? 0) === 0) {
      problems.push(ARGOCD_FINDINGS.ignoredFieldMissing({ field, kind: entry.kind }));
    }
    if (JSON.stringify(entry).includes('{{')) {
      problems.push(ARGOCD_FINDINGS.templateInExpression({ field }));
    }
    return problems;
  });
}
