import { Cron, Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import { LinkerdCni } from '#lib/constructs/control-plane/linkerd-cni';
import { LinkerdControlPlane } from '#lib/constructs/control-plane/linkerd-control-plane';
import { LinkerdCrds } from '#lib/constructs/control-plane/linkerd-crds';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Multicluster } from '#lib/constructs/multicluster/multicluster';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { CertManagerPKI } from '#lib/constructs/pki/cert-manager-pki';
import { TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { TrustBundle } from '#lib/constructs/pki/trust-bundle';
import { TrustManager } from '#lib/constructs/pki/trust-manager';
import { JaegerToTempo } from '#lib/constructs/tracing/jaeger-to-tempo';
import { Grafana } from '#lib/constructs/viz/grafana';
import { Prometheus } from '#lib/constructs/viz/prometheus';
import { Viz } from '#lib/constructs/viz/viz';
import { Call, type Code, Name } from '../code';
import type { MigratedPart } from '../migration';

const IMPORTED: Readonly<Record<string, object>> = {
  CertManager,
  CertManagerPKI,
  Cron,
  Duration,
  Grafana,
  JaegerToTempo,
  LinkerdCni,
  LinkerdControlPlane,
  LinkerdCrds,
  Meshing,
  Multicluster,
  Prometheus,
  TrustAnchor,
  TrustBundle,
  TrustManager,
  Viz,
};

type Callable = (...args: readonly unknown[]) => unknown;
type Newable = new (...args: readonly unknown[]) => unknown;

/** Creates the constructs of a program from the calls that are also printed. */
export function runParts(parts: readonly MigratedPart[], scope: Construct): void {
  const variables = new Map<string, unknown>([['scope', scope]]);
  for (const { statements, variable, result, after = [] } of parts) {
    for (const { name, call } of statements) variables.set(name, evaluated(call, variables));
    variables.set(variable, evaluated(result, variables));
    for (const call of after) evaluated(call, variables);
  }
}

function evaluated(code: Code | undefined, variables: ReadonlyMap<string, unknown>): unknown {
  if (code instanceof Name) return variables.get(code.name);
  if (code instanceof Call) return called(code, variables);
  if (Array.isArray(code)) return (code as readonly Code[]).map((item) => evaluated(item, variables));
  if (typeof code !== 'object' || code === null) return code;
  const members = Object.entries(code).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, evaluated(member, variables)]));
}

function called({ callee, args }: Call, variables: ReadonlyMap<string, unknown>): unknown {
  const given = args.map((arg) => evaluated(arg, variables));
  const [root = '', method] = callee.replace(/^new /, '').split('.');
  const of = variables.get(root) ?? IMPORTED[root];
  if (of === undefined) throw new TypeError(`a program cannot call ${callee}`);
  if (callee.startsWith('new ')) return new (of as Newable)(...given);
  const holder = of as Readonly<Record<string, Callable>>;
  return holder[method ?? '']?.(...given);
}
