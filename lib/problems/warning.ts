import type { IConstruct } from 'constructs';
import { isInPlainApp } from './plain-app';
import { describeProblem, type Problem } from './problem';

/** Codes of all warnings, each with what it is about. They never change their meaning. */
export const WARNING_CODES = {
  'acknowledged-nothing': 'a warning is acknowledged that nobody gave',
  'anchor-label-needed': 'a Secret with the trust anchor must get a label by other means',
  'anchor-renews-by-itself': "the trust anchor's renewal is 'automatic-unsafe'",
  'crds-undeclared': 'nobody says where the CRDs of some objects come from',
  'dashboard-open': 'the dashboard asks nobody who they are',
  'destination-unused': 'a fleet finds the cluster by its name, not by the server that is set',
  'foreign-file': 'a file of somebody else is applied with ours',
  'hasty-renewal': 'a certificate is replaced as soon as it is issued',
  'hosts-of-others': 'the dashboard answers for hosts of others',
  'idle-values': 'values of a LinkerdConfig have no effect',
  'index-damaged': 'the index of an output folder cannot be read',
  'multus-without-webhooks': 'no webhook attaches pods to the networks',
  'no-alerts': 'nothing tells when certificates expire',
  'pem-roots': 'a trust anchor in PEM is not what it should be',
  'proxy-user-unset': "nobody sets the user of proxies to one of the namespace's",
  'proxy-version': 'proxies are of another release than their control plane',
  'values-not-seen': 'Argo CD does not see a change of values beside the operator',
  'webhook-ca-replaced': "a webhook's old CA is taken away before the new certificate is there",
} as const satisfies Record<string, string>;

/** Code of a warning, by which it is acknowledged. */
export type WarningCode = keyof typeof WARNING_CODES;

/** A risk that is taken knowingly. */
export interface Warning extends Problem {
  readonly code: WarningCode;
}

const WARNING = 'cdk8s-linkerd:warning';
const ACKNOWLEDGEMENT = 'cdk8s-linkerd:acknowledgement';

/**
 * Leaves a warning for the synth report. In a plain App, which reports nothing, it is printed when the App validates its
 * constructs.
 */
export function addWarning(scope: IConstruct, warning: Warning): void {
  addWarnings(scope, () => [warning]);
}

/** Leaves warnings for the synth report, as `addWarning` does, that are found at synth. */
export function addWarnings(scope: IConstruct, find: () => readonly Warning[]): void {
  scope.node.addMetadata(WARNING, find);
  if (!isInPlainApp(scope)) return;
  // An App validates once for itself and once for each of its charts.
  let isPrinted = false;
  const print = () => {
    for (const warning of isPrinted ? [] : find()) {
      if (isAcknowledged(scope, warning)) continue;
      process.stderr.write(`warning: ${scope.node.path}: ${describeProblem(warning)} [${warning.code}]\n`);
    }
    isPrinted = true;
    return [];
  };
  scope.node.addValidation({ validate: print });
}

function isAcknowledged(scope: IConstruct, { code }: Warning): boolean {
  return scope.node.scopes.flatMap(acknowledgementsOf).some((by) => by.code === code);
}

/** A warning that somebody has read, and why it may stand. */
export interface Acknowledgement {
  readonly code: WarningCode;
  readonly reason: string;
}

/**
 * Acknowledges a warning for a construct and all below it: it is counted in reports, and no longer printed. For all
 * clusters there is the prop `acknowledge` of `Platform`.
 *
 * @param reason why the risk may be taken, for those who read the code
 * @throws TypeError without a reason, or if there is no such code
 */
export function acknowledgeWarning(scope: IConstruct, code: WarningCode, reason: string): void {
  const [problem] = checkAcknowledgement({ code, reason });
  if (problem !== undefined) throw new TypeError(`${problem.what}. ${problem.why}. Fix: ${problem.fix}.`);
  scope.node.addMetadata(ACKNOWLEDGEMENT, { code, reason });
}

/** Checks what types cannot hold, or do not in plain JavaScript. */
export function checkAcknowledgement({ code, reason }: Acknowledgement): readonly Problem[] {
  if (!Object.hasOwn(WARNING_CODES, code)) {
    return [
      {
        what: `There is no warning "${code}" to acknowledge`,
        why: 'It would acknowledge nothing',
        fix: `take the code from the report: one of ${Object.keys(WARNING_CODES).join(', ')}`,
      },
    ];
  }
  if (typeof reason === 'string' && reason.trim() !== '') return [];
  return [
    {
      what: `The warning "${code}" is acknowledged without a reason`,
      why: 'The next reader cannot know whether it still holds',
      fix: 'say why the risk may be taken',
    },
  ];
}

/** The warnings left at one construct, children not included. */
export function warningsOf(construct: IConstruct): readonly Warning[] {
  return construct.node.metadata
    .filter(({ type }) => type === WARNING)
    .flatMap(({ data }) => (data as () => readonly Warning[])());
}

/** The acknowledgements made at one construct, which hold for all below it. */
export function acknowledgementsOf(construct: IConstruct): readonly Acknowledgement[] {
  return construct.node.metadata
    .filter(({ type }) => type === ACKNOWLEDGEMENT)
    .map(({ data }) => data as Acknowledgement);
}
