import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { Delivery } from '../../gitops/charts/chart-release';
import type { OperatorImage } from '../../gitops/tree/operator-image';
import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import { checkDnsLabel } from '../../kubernetes/names';
import { type ContainerResources, checkResources } from '../../linkerd/container-resources';
import { checkInjectedNamespace } from '../control-plane/unseen-namespaces';
import { MULTUS_FINDINGS } from '../multus/findings';
import { checkMultusAgreement, type MultusAttachment } from './multus-agreement';
import type { OperatorLogLevel } from './operator-arguments';
import { checkOperatorImage } from './operator-image';
import { checkWebhookClients, type WebhookClients } from './webhook-clients';

/** Facts about a ReconcilerOperator that are checked. */
export interface OperatorFacts {
  readonly namespace: string;
  readonly controlPlaneNamespace: string;
  readonly replicas: number;
  readonly image: OperatorImage;
  /** The prop that names the image. */
  readonly imageField: string;
  readonly resources: ContainerResources;
  readonly logLevel?: OperatorLogLevel | undefined;
  readonly installerFieldManagers?: readonly string[];
  readonly webhooks?: boolean;
  readonly webhookClients?: WebhookClients;
  readonly multus: boolean;
  /** Tells whether the control plane's own pods attach by Multus. */
  readonly attached: boolean;
  readonly attachments: readonly MultusAttachment[];
  /** Namespace of the control plane's CNI plugin; absent where it has none. */
  readonly cniNamespace?: string;
}

/** The problem of an operator beside another one. */
export function secondOperator(first: string): Problem {
  return {
    code: 'second-operator',
    what: `It is the second ReconcilerOperator of its cluster, after ${first}`,
    why: 'The permissions, webhooks and CustomResourceDefinition of an operator have names that a cluster has once: whichever is applied last takes them from the other',
    fix: 'remove one; an operator serves all namespaces of its cluster',
  };
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
  return [
    {
      code: 'log-level-unknown',
      violates: violationOf('form', level),
      what: `logLevel is ${JSON.stringify(level)}`,
      why: 'The operator refuses its flag, and does not start',
      fix: `choose one of ${LOG_LEVELS.join(', ')}`,
    },
  ];
}

function checkReplicas(replicas: number): readonly Problem[] {
  if (Number.isInteger(replicas) && replicas > 0) return [];
  return [
    {
      code: 'replicas-refused',
      violates: violationOf('form', replicas),
      what: `replicas is ${replicas}`,
      why: 'Nothing would keep the mesh as it is described, and every LinkerdConfig would be refused',
      fix: 'give a whole number above 0; to be without the operator, leave it out',
    },
  ];
}

function checkManagers(managers: readonly string[]): readonly Problem[] {
  const wrong = managers.filter((manager) => manager.trim() === '' || manager.includes(','));
  if (managers.length > 0 && wrong.length === 0) return [];
  return [
    {
      code: 'installer-managers-refused',
      what: `installerFieldManagers is [${managers.map((manager) => `"${manager}"`).join(', ')}]`,
      why: 'The operator would take what the installation writes for drift, and undo every change of it',
      fix: 'name the field manager of whatever installs the control plane: argocd-controller for instance',
    },
  ];
}

function checkMultus(facts: OperatorFacts): readonly Problem[] {
  const { namespace, attachments } = facts;
  const disagreements = checkMultusAgreement(facts, attachments);
  if (!facts.multus) return disagreements;
  if (facts.cniNamespace === undefined)
    return [MULTUS_FINDINGS.multusWithoutCni({ needing: 'multus: true of ReconcilerOperator' })];
  const taken = checkTakenNamespace(facts);
  // A MultusAttach that was given the same namespace says it already.
  const isSaid = attachments.some(({ operatorNamespace }) => operatorNamespace === namespace);
  return [...(facts.attached ? [] : [NOT_ATTACHED]), ...(taken.length > 0 && !isSaid ? taken : disagreements)];
}

const NOT_ATTACHED: Problem = {
  code: 'control-plane-not-attached',
  what: 'multus is true, but the pods of the control plane do not attach to linkerd-cni',
  why: 'They start before the operator can attach them, and would stay without a network',
  fix: 'add a MultusAttach for the control plane, or set multus to false',
};

/** The operator's part in Multus. */
export interface MultusPart {
  /** Tells whether it attaches pods. */
  readonly multus: boolean;
  /** Tells whether its own pods attach, if they are meshed. */
  readonly attaches: boolean;
}

/** Checks that nothing was decided about Multus after somebody read objects of the operator that follow from it. */
export function checkUnchanged(read: MultusPart, now: MultusPart): readonly Problem[] {
  if (read.multus === now.multus && read.attaches === now.attaches) return [];
  return [
    {
      what: 'Objects of the operator were read before there was the MultusAttach for its control plane',
      why: 'They are those of an operator that has nothing to do with Multus, and others follow from it already',
      fix: 'construct MultusAttach before the code that reads objects of the operator (node.findAll(), node.children)',
      code: 'multus-attached-late',
    },
  ];
}

function checkTakenNamespace(facts: OperatorFacts): readonly Problem[] {
  const { namespace, controlPlaneNamespace, cniNamespace } = facts;
  if (namespace !== controlPlaneNamespace && namespace !== cniNamespace) return [];
  const owner = namespace === controlPlaneNamespace ? 'control plane' : 'CNI plugin';
  return [MULTUS_FINDINGS.operatorNamespaceTaken({ field: 'namespace', namespace, owner })];
}

/** Facts about a ReconcilerOperator that work, but perhaps not as they were meant. */
export interface OperatorRisks {
  readonly webhooks: boolean;
  readonly multus: boolean;
  readonly delivery: Delivery;
}

/** The risks that somebody takes. */
export function operatorWarnings({ webhooks, multus, delivery }: OperatorRisks): readonly Warning[] {
  return [...(multus && !webhooks ? [NOBODY_ANNOTATES] : []), ...(delivery === 'helm' ? [UNSEEN_VALUES] : [])];
}

const NOBODY_ANNOTATES: Warning = {
  code: 'multus-without-webhooks',
  what: 'multus is true, but webhooks is false',
  why: 'The operator makes the networks, but it is by its webhook that pods attach to them',
  fix: 'leave webhooks out, or give pod templates MultusAttach.podAnnotations',
};

const UNSEEN_VALUES: Warning = {
  code: 'values-not-seen',
  what: "The control plane's chart is inflated by Argo CD, which ignores data.values of linkerd-config beside the operator",
  why: 'A change of values that alters nothing else of the chart would not be seen, and reach the cluster at the next sync',
  fix: "sync by hand after such a change, or leave delivery at 'manifests', where the injector carries a checksum of them",
};
