import type { Problem } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { mergeValues, type Values } from '#base/values';
import { checkInjection } from '#linkerd/injection/check-injection';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { releaseInjector } from '#linkerd/releases/release-injector';
import { checkHighAvailability } from '#linkerd/renderers/high-availability';
import { CONTROL_PLANE_WEBHOOKS } from '../../constructs/control-plane/control-plane-values';
import type { ManagerChart } from '../repository/sources/source';
import { takeAnchor, validityCode } from './anchor-code';
import { Call, type Code, durationCode, Name, type Statement } from './code';
import type { MigrationRequest, PartMigration } from './migration';
import { leftOutRemark } from './program';
import {
  changedValues,
  RemainingValues,
  takeCertificate,
  takePodSecurityPolicy,
  takeVersion,
  takeWebhooks,
} from './remaining-values';

/** Returns the construct for values of linkerd-control-plane. */
export function controlPlaneProgram(request: MigrationRequest): PartMigration {
  const { chart, release, values, namespace, remarks, crds = {} } = request;
  const { defaults: controlPlane } = chart;
  const { highAvailability: preset } = defaultsOf(release);
  const all = mergeValues(controlPlane, values);
  const highAvailability = checkHighAvailability(all).length === 0;
  const base = highAvailability ? mergeValues(controlPlane, preset) : controlPlane;
  const remaining = new RemainingValues(changedValues(base, all));

  const anchor = takeAnchor(remaining, request);
  const warnings = [
    ...takeDecided(remaining, namespace ?? chart.namespace),
    ...anchor.warnings,
    ...takeVersion(remaining, release),
    ...takePodSecurityPolicy(remaining),
    // The program contains the values about which synth reports these problems.
    ...checkInjection(all, releaseInjector(release)),
  ];
  const scope = new Name('scope');
  const cni = remaining.take('cniEnabled') === true;
  const windows = Object.entries(request.surroundings?.pki.windows ?? {});
  const pki = {
    ...pkiProps(remaining, base, namespace),
    trustAnchor: anchor.trustAnchor,
    ...Object.fromEntries(windows.map(([key, window]) => [key, validityCode(window)])),
  };
  const external = [...chart.requires(values, namespace ?? chart.namespace), ...(anchor.external ?? [])];
  const result = new Call('new LinkerdControlPlane', scope, 'linkerd', {
    version: release.version,
    pki: new Name('pki'),
    trust: new Name('trust'),
    cni: cni ? new Name('cni') : undefined,
    crds: Object.keys(crds).length === 0 ? undefined : { values: crds as Code },
    highAvailability,
    heartbeat: heartbeat(remaining),
    values: remaining.values as Code | undefined,
  });
  const statements: readonly Statement[] = [
    ...managerStatements(scope, request),
    {
      name: 'pki',
      call: new Call('new CertManagerPKI', scope, 'pki', pki),
      remarks: [...(request.surroundings?.pki.notes ?? []).map(leftOutRemark), anchor.remark ?? []].flat(),
    },
    {
      name: 'trust',
      call: new Call('new TrustBundle', scope, 'trust', {
        pki: new Name('pki'),
        trustManager: new Name('trustManager'),
      }),
    },
    ...(cni && request.hasPlugin !== true ? [cniStatement(scope, release.version)] : []),
  ];
  return { name: 'linkerd', variable: 'controlPlane', statements, remarks, external, result, warnings };
}

function managerStatements(
  scope: Name,
  { existingCertManager = false, surroundings }: MigrationRequest,
): readonly Statement[] {
  const isThere = (chart: ManagerChart) => existingCertManager || surroundings?.existing.includes(chart) === true;
  const given = (chart: ManagerChart) => {
    const { remarks, version, namespace, values } = surroundings?.managers[chart] ?? { remarks: [] };
    return { remarks, props: { version, namespace, values: values as Code | undefined } };
  };
  const [cert, trust] = [given('cert-manager'), given('trust-manager')];
  const certManager = isThere('cert-manager')
    ? new Call('CertManager.fromExisting', scope, 'cert-manager')
    : new Call('new CertManager', scope, 'cert-manager', ...propsOf(cert.props));
  // trust-manager is always in the namespace of cert-manager.
  const trustProps = { certManager: new Name('certManager'), ...trust.props, namespace: undefined };
  const trustManager = isThere('trust-manager')
    ? new Call('TrustManager.fromExisting', scope, 'trust-manager')
    : new Call('new TrustManager', scope, 'trust-manager', trustProps);
  return [
    { name: 'certManager', call: certManager, remarks: cert.remarks },
    { name: 'trustManager', call: trustManager, remarks: trust.remarks },
  ];
}

function propsOf(props: Readonly<Record<string, Code | undefined>>): readonly Code[] {
  return Object.values(props).every((value) => value === undefined) ? [] : [props];
}

function cniStatement(scope: Name, version: string): Statement {
  return {
    name: 'cni',
    call: new Call('new LinkerdCni', scope, 'cni', { version }),
    remarks: ['Migrate its own values, too: --chart linkerd2-cni.'],
  };
}

function takeDecided(remaining: RemainingValues, namespace: string): readonly Problem[] {
  remaining.take('identity.issuer.scheme');
  return [
    ...takeWebhooks(
      remaining,
      CONTROL_PLANE_WEBHOOKS.map(({ valuesKey, service }) => ({
        key: valuesKey,
        certificate: `${namespace}/${service}`,
      })),
    ),
    ...takeCertificate(remaining, 'identity.issuer.tls.crtPEM'),
  ];
}

function pkiProps(remaining: RemainingValues, base: Values, namespace: string | undefined) {
  const clusterDomain = remaining.takeText('clusterDomain');
  const trustDomain = remaining.takeText('identityTrustDomain');
  return {
    certManager: new Name('certManager'),
    controlPlaneNamespace: namespace === 'linkerd' ? undefined : namespace,
    clusterDomain,
    trustDomain: trustDomain === (clusterDomain ?? base.clusterDomain) ? undefined : trustDomain,
    issuanceLifetime: takeDuration(remaining, 'identity.issuer.issuanceLifetime', '24h'),
    clockSkewAllowance: takeDuration(remaining, 'identity.issuer.clockSkewAllowance', '20s'),
  };
}

/** A duration that the prop cannot represent stays in the values. */
function takeDuration(remaining: RemainingValues, path: string, usual: string): Code | undefined {
  const text = remaining.takeText(path, (candidate) => durationCode(candidate) !== undefined);
  return text === undefined || goDurationMs(text) === goDurationMs(usual) ? undefined : durationCode(text);
}

const CRON_FIELDS = ['minute', 'hour', 'day', 'month', 'weekDay'] as const;

function heartbeat(remaining: RemainingValues): Code | undefined {
  if (remaining.take('disableHeartBeat') === true) {
    remaining.take('heartbeatSchedule');
    return false;
  }
  const schedule = remaining.takeText('heartbeatSchedule', (text) => fieldsOf(text).length === CRON_FIELDS.length);
  if (schedule === undefined) return undefined;
  const fields = fieldsOf(schedule);
  const named = CRON_FIELDS.map((name, index) => [name, fields[index]] as const);
  return new Call('Cron.schedule', Object.fromEntries(named.filter(([, field]) => field !== '*')));
}

function fieldsOf(schedule: string): readonly string[] {
  return schedule.trim().split(/\s+/);
}
