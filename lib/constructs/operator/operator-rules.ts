import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { checkResources, type Resources } from '#linkerd/container-resources';
import { checkInjectedNamespace } from '../../checks/linkerd/injection-check';
import type { Warning } from '../../checks/warnings';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { OperatorImage } from '../../gitops/tree/operator-image';
import { MULTUS_FINDINGS } from '../multus/findings';
import { OPERATOR_FINDINGS } from './findings';
import { checkMultusAgreement, type MultusAttachment } from './multus-agreement';
import type { OperatorLogLevel } from './operator-arguments';
import { checkOperatorImage } from './operator-image';
import { checkWebhookClients, type WebhookClients } from './webhook-clients';

/** Facts about a ReconcilerOperator to check. */
export interface OperatorFacts {
  readonly namespace: string;
  readonly controlPlaneNamespace: string;
  readonly replicas: number;
  readonly image: OperatorImage;
  /** The prop that sets the image. */
  readonly imageField: string;
  readonly resources: Resources;
  readonly logLevel?: OperatorLogLevel | undefined;
  readonly installerFieldManagers?: readonly string[];
  readonly webhooks?: boolean;
  readonly webhookClients?: WebhookClients;
  readonly multus: boolean;
  /** Whether the control plane's pods attach through Multus. */
  readonly attached: boolean;
  readonly attachments: readonly MultusAttachment[];
  /** Namespace of the control plane's CNI plugin; absent where it has none. */
  readonly cniNamespace?: string;
}

/** Checks the facts about an operator. */
export function checkOperator(facts: OperatorFacts): readonly Problem[] {
  const { namespace, controlPlaneNamespace, installerFieldManagers } = facts;
  return [
    ...checkDnsLabel('namespace', namespace),
    ...(namespace === controlPlaneNamespace ? [] : checkInjectedNamespace('The operator', namespace)),
    ...checkReplicas(facts.replicas),
    ...checkOperatorImage(facts.imageField, facts.image),
    ...checkResources('resources', facts.resources),
    ...checkLogLevel(facts.logLevel),
    ...(installerFieldManagers === undefined ? [] : checkManagers(installerFieldManagers)),
    ...(facts.webhookClients === undefined ? [] : checkWebhookClients(facts.webhookClients, facts.webhooks ?? true)),
    ...checkMultus(facts),
  ];
}

const LOG_LEVELS: readonly OperatorLogLevel[] = ['debug', 'info', 'warn', 'error'];

function checkLogLevel(level: OperatorLogLevel | undefined): readonly Problem[] {
  if (level === undefined || LOG_LEVELS.includes(level)) return [];
  const parameters = { level: JSON.stringify(level), known: LOG_LEVELS.join(', ') };
  return [OPERATOR_FINDINGS.operatorSettingRefusedLogLevel(parameters)];
}

function checkReplicas(replicas: number): readonly Problem[] {
  if (Number.isInteger(replicas) && replicas > 0) return [];
  return [OPERATOR_FINDINGS.operatorSettingRefusedReplicas({ replicas })];
}

function checkManagers(managers: readonly string[]): readonly Problem[] {
  const wrong = managers.filter((manager) => typeof manager !== 'string' || /^\s*$|,/.test(manager));
  if (managers.length > 0 && wrong.length === 0) return [];
  return [
    OPERATOR_FINDINGS.operatorSettingRefusedInstallerManagers({
      managers: managers.map((manager) => `"${manager}"`).join(', '),
    }),
  ];
}

function checkMultus(facts: OperatorFacts): readonly Problem[] {
  const { namespace, attachments } = facts;
  const disagreements = checkMultusAgreement(facts, attachments);
  if (!facts.multus) return disagreements;
  if (facts.cniNamespace === undefined)
    return [MULTUS_FINDINGS.multusWithoutCni({ needing: 'multus: true of ReconcilerOperator' })];
  const taken = checkTakenNamespace(facts);
  // A MultusAttach with the same namespace already reports this.
  const isSaid = attachments.some(({ operatorNamespace }) => operatorNamespace === namespace);
  return [
    ...(facts.attached ? [] : [OPERATOR_FINDINGS.multusAttachMismatchControlPlane()]),
    ...(taken.length > 0 && !isSaid ? taken : disagreements),
  ];
}

/** How the operator uses Multus. */
export interface MultusPart {
  /** Whether the operator attaches pods through Multus. */
  readonly multus: boolean;
  /** Whether the operator's own pods attach, if they are meshed. */
  readonly attaches: boolean;
}

/** Checks that no construct changed the use of Multus after the objects that depend on it were built. */
export function checkUnchanged(builtFor: MultusPart, now: MultusPart): readonly Problem[] {
  const isUnchanged = builtFor.multus === now.multus && builtFor.attaches === now.attaches;
  return isUnchanged ? [] : [OPERATOR_FINDINGS.multusAttachMismatchLate()];
}

function checkTakenNamespace(facts: OperatorFacts): readonly Problem[] {
  const { namespace, controlPlaneNamespace, cniNamespace } = facts;
  if (namespace !== controlPlaneNamespace && namespace !== cniNamespace) return [];
  const owner = namespace === controlPlaneNamespace ? 'control plane' : 'CNI plugin';
  return [MULTUS_FINDINGS.operatorNamespaceTaken({ field: 'namespace', namespace, owner })];
}

/** Settings of a ReconcilerOperator that are valid, but may not be intended. */
export interface OperatorRisks {
  readonly webhooks: boolean;
  readonly multus: boolean;
  readonly delivery?: Delivery | undefined;
}

/** Returns warnings about an operator. */
export function operatorWarnings({ webhooks, multus, delivery }: OperatorRisks): readonly Warning[] {
  return [
    ...(multus && !webhooks ? [OPERATOR_FINDINGS.multusWithoutWebhooks()] : []),
    ...(delivery === 'helm' ? [OPERATOR_FINDINGS.valuesNotSeen()] : []),
  ];
}
