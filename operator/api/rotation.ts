/** A Deployment, and the Certificates of its namespace whose Secrets its pods mount: both are replaced together. */
export interface RotationUnit {
  readonly namespace: string;
  readonly deployment: string;
  /** Names of the Certificates, renewed in this order. At least one. */
  readonly certificates: readonly string[];
  /**
   * ConfigMap of the namespace with the anchors (key `ca-bundle.crt`). Each certificate must chain to one of them, or
   * the Deployment is not restarted. Absent if its pods start with any signer.
   */
  readonly trustRoots?: string;
}

/** Maximum time for the renewal of one certificate. */
export const RENEWAL_TIMEOUT_SECONDS = 60;
/** Maximum time for the rollout of one Deployment. */
export const ROLLOUT_TIMEOUT_SECONDS = 300;

/**
 * The exit code of `rotate` if cert-manager's request for a certificate was refused. Each refusal doubles
 * cert-manager's own retry delay, from one hour to 32 (cert-manager, pkg/controller/certificates/trigger): retrying at
 * once would soon delay the renewal beyond the certificate's expiry.
 */
export const RENEWAL_REFUSED_EXIT = 3;

/** Returns the maximum seconds for the rotation of these units, with every step at its maximum. */
export function longestRotationSeconds(units: readonly Pick<RotationUnit, 'certificates'>[]): number {
  const ofUnit = ({ certificates }: Pick<RotationUnit, 'certificates'>): number =>
    certificates.length * RENEWAL_TIMEOUT_SECONDS + ROLLOUT_TIMEOUT_SECONDS;
  return units.reduce((sum, unit) => sum + ofUnit(unit), 0);
}

/** The flags with the units of `rotate`; read by `readRotationUnits`. */
export interface RotationFlags {
  /** Values of `--unit`: `namespace/deployment=certificate,certificate`. */
  readonly units: readonly string[];
  /** Values of `--trust-roots`: `namespace/deployment=configmap`. */
  readonly trustRoots: readonly string[];
}

/** Returns the arguments of `rotate` for these units. */
export function rotationArguments(units: readonly RotationUnit[]): readonly string[] {
  return units.flatMap((unit) => [
    `--unit=${unitKey(unit)}=${unit.certificates.join(',')}`,
    ...(unit.trustRoots === undefined ? [] : [`--trust-roots=${unitKey(unit)}=${unit.trustRoots}`]),
  ]);
}

/** Returns the units in flags, or all problems of the flags. */
export function readRotationUnits(flags: RotationFlags): {
  readonly units: readonly RotationUnit[];
  readonly problems: readonly string[];
} {
  const named = flags.units.map((text) => readAssignment('--unit', 'certificate[,certificate…]', text));
  const trusting = flags.trustRoots.map((text) => readAssignment('--trust-roots', 'configmap', text));
  const anchorsOf = new Map(trusting.map(({ key, values }) => [key, values[0]]));
  const units = named.map(({ namespace, deployment, key, values }): RotationUnit => {
    const trustRoots = anchorsOf.get(key);
    return { namespace, deployment, certificates: values, ...(trustRoots !== undefined && { trustRoots }) };
  });
  const problems = [
    ...(flags.units.length === 0 ? ['--unit is missing: it names the Deployments and Certificates to rotate'] : []),
    ...[...named, ...trusting].flatMap((assignment) => assignment.problems),
  ];
  // A flag that could not be parsed would be reported again as a contradiction.
  return { units, problems: problems.length > 0 ? problems : checkContradictions(units, trusting) };
}

interface Assignment {
  readonly key: string;
  readonly namespace: string;
  readonly deployment: string;
  readonly values: readonly string[];
  readonly problems: readonly string[];
}

function readAssignment(flag: string, value: string, text: string): Assignment {
  const [, key = '', namespace = '', deployment = '', list = ''] = /^(([^/=]*)\/([^/=]*))=([^=]*)$/.exec(text) ?? [];
  const values = list.split(',');
  const isOne = flag !== '--unit';
  const isWellFormed = key !== '' && values.every((name) => name !== '') && !(isOne && values.length > 1);
  const misnamed = isWellFormed ? [namespace, deployment, ...values].filter((name) => !isName(name)) : [];
  return {
    key,
    namespace,
    deployment,
    values,
    problems: isWellFormed
      ? misnamed.map((name) => `${flag} ${text}: "${name}" is not a valid name of a Kubernetes object`)
      : [`${flag} ${text}: expected namespace/deployment=${value}`],
  };
}

function checkContradictions(units: readonly RotationUnit[], trusting: readonly Assignment[]): readonly string[] {
  const deployments = units.map(unitKey);
  const certificates = units.flatMap(({ namespace, certificates }) =>
    certificates.map((name) => `${namespace}/${name}`),
  );
  return [
    ...repeated(deployments).map(
      (key) => `--unit names the Deployment ${key} more than once: list all its certificates in one --unit`,
    ),
    ...repeated(certificates).map(
      (key) =>
        `--unit names the Certificate ${key} more than once: its second renewal would outdate the first Deployment`,
    ),
    ...repeated(trusting.map(({ key }) => key)).map(
      (key) => `--trust-roots names the Deployment ${key} more than once`,
    ),
    ...trusting
      .filter(({ key }) => !deployments.includes(key))
      .map(({ key }) => `--trust-roots names the Deployment ${key}, which has no --unit`),
  ];
}

function repeated(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}

function unitKey({ namespace, deployment }: Pick<RotationUnit, 'namespace' | 'deployment'>): string {
  return `${namespace}/${deployment}`;
}

/** Whether a string is a DNS subdomain (RFC 1123), which the names of all these objects are. */
function isName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
}
