import { TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import { CONFIG_MAPS, DEPLOYMENTS } from '#controller-runtime/objects/built-in-resources';
import { type KubeObject, objectKey } from '#controller-runtime/objects/kube-object';
import { errorText } from '#controller-runtime/telemetry/error-text';
import type { RotationUnit } from '../../api/rotation';
import { CERTIFICATES } from '../pki/cert-manager';
import type { KeyPair } from '../pki/key-pair';
import { type ChainFault, checkChain } from '../pki/trust-chain';
import type { Certificate } from './certificate-resource';
import { poll } from './poll';
import { type RenewedCertificate, renewCertificate } from './renew-certificate';
import { certificatesHash, isRestartedBy, type RotatedDeployment, restartPatch, rolloutStep } from './rollout';
import type { RotationContext } from './rotation-context';
import { RotationFailure } from './rotation-failure';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/**
 * Renews a unit's certificates one by one, restarts its Deployment and waits for the rollout. Does not repeat the steps
 * of an earlier attempt of this run, which failed or was killed. If that attempt restarted the Deployment, only waits.
 * @throws RotationFailure at the first error; later steps are not executed
 */
export async function rotateUnit(unit: RotationUnit, outer: RotationContext): Promise<void> {
  const { namespace, deployment: name } = unit;
  const context = { ...outer, log: outer.log.with({ deployment: `${namespace}/${name}` }) };
  let regarding: KubeObject = {
    apiVersion: DEPLOYMENTS.apiVersion,
    kind: DEPLOYMENTS.kind,
    metadata: { namespace, name },
  };
  try {
    const { client, signal } = context;
    const deployment = await client.get<RotatedDeployment>(DEPLOYMENTS, objectKey(regarding), { signal });
    if (deployment === undefined) {
      throw new RotationFailure(regarding, 'DeploymentMissing', 'it does not exist, so nothing can be restarted');
    }
    regarding = deployment;
    await rotateDeployment(deployment, unit, context);
  } catch (error) {
    throw asFailure(error, regarding, context.signal);
  }
}

/** Converts any error to a failure, so that it is reported in the cluster as well. */
function asFailure(cause: unknown, regarding: KubeObject, signal: AbortSignal): RotationFailure {
  if (cause instanceof RotationFailure) return cause;
  return new RotationFailure(regarding, signal.aborted ? 'RotationInterrupted' : 'RotationFailed', errorText(cause), {
    cause,
  });
}

async function rotateDeployment(
  deployment: RotatedDeployment,
  unit: RotationUnit,
  context: RotationContext,
): Promise<void> {
  const { client, log, runId, signal } = context;
  if (deployment.spec.paused === true) {
    throw new RotationFailure(deployment, 'DeploymentPaused', 'it is paused and would not roll out');
  }
  if (isRestartedBy(runId, deployment)) {
    log.info('this run has already restarted the Deployment, so its certificates are not renewed again', { runId });
  } else {
    const renewed = await renewAll(unit, deployment, context);
    if (unit.trustRoots !== undefined) await checkTrust(`${unit.namespace}/${unit.trustRoots}`, renewed, context);
    const hash = certificatesHash(
      new Map(renewed.map(({ certificate, pair }) => [certificate.metadata.name, pair.fingerprint])),
    );
    await client.patch(DEPLOYMENTS, objectKey(deployment), restartPatch(hash, runId), { signal });
    log.info('restarted the Deployment', { certificates: hash });
  }
  await rolledOut(deployment, context);
  log.info('the Deployment has rolled out');
}

async function renewAll(
  unit: RotationUnit,
  deployment: RotatedDeployment,
  context: RotationContext,
): Promise<readonly RenewedCertificate[]> {
  const { client, signal } = context;
  // Reads all before it renews the first, so that a wrong name costs no renewal.
  const found: Certificate[] = [];
  for (const name of unit.certificates) {
    const certificate = await client.get<Certificate>(CERTIFICATES, `${unit.namespace}/${name}`, { signal });
    if (certificate === undefined) {
      throw new RotationFailure(deployment, 'CertificateMissing', `its Certificate ${name} does not exist`);
    }
    found.push(certificate);
  }
  const bundle = unit.trustRoots && (await trustBundle(`${unit.namespace}/${unit.trustRoots}`, context));
  const isOfUse = ({ chain, problem }: KeyPair): boolean => {
    const end = chain[0]?.validToDate;
    if (problem !== undefined || end === undefined || end <= new Date()) return false;
    return bundle === undefined || checkChain(chain, bundle, new Date()) === undefined;
  };
  const renewed: RenewedCertificate[] = [];
  for (const certificate of found) renewed.push(await renewCertificate(certificate, isOfUse, context));
  return renewed;
}

/**
 * Identity refuses to start with an issuer that chains to none of its trust roots; while it runs, it keeps the old
 * issuer.
 */
async function checkTrust(
  key: string,
  renewed: readonly RenewedCertificate[],
  context: RotationContext,
): Promise<void> {
  const bundle = await trustBundle(key, context);
  for (const { certificate, pair } of renewed) {
    const fault = checkChain(pair.chain, bundle, new Date());
    if (fault === undefined) continue;
    throw new RotationFailure(
      certificate,
      'UntrustedIssuer',
      `pods would not start with the new certificate and the trust roots of ConfigMap ${key}, so they are not restarted: ${faultText(fault)}`,
    );
  }
}

function faultText(fault: ChainFault): string {
  switch (fault.is) {
    case 'no certificate':
      return 'the Secret has no certificate';
    case 'no valid anchor':
      return 'the trust roots contain no certificate that is valid now';
    case 'other signer':
      return `it is signed by "${fault.signer}", which chains to none of the ${fault.anchors.length} anchors (${fault.anchors.join('; ')})`;
  }
}

async function trustBundle(key: string, { client, signal }: RotationContext): Promise<string> {
  const roots = await client.get<ConfigMap>(CONFIG_MAPS, key, { signal });
  return roots?.data?.[TRUST_ROOTS_KEY] ?? '';
}

async function rolledOut(first: RotatedDeployment, context: RotationContext): Promise<void> {
  const { client, log, signal } = context;
  await poll(
    async (overdue) => {
      const deployment = await client.get<RotatedDeployment>(DEPLOYMENTS, objectKey(first), { signal });
      if (deployment === undefined) {
        throw new RotationFailure(first, 'DeploymentMissing', 'it was deleted during its rollout');
      }
      const step = rolloutStep(deployment, overdue);
      switch (step.kind) {
        case 'complete':
          return true;
        case 'wait':
          log.debug('waiting', { until: step.until });
          return undefined;
        case 'fail':
          throw new RotationFailure(deployment, step.reason, step.message);
      }
    },
    { ...context, timeoutMs: context.rolloutTimeoutMs },
  );
}
