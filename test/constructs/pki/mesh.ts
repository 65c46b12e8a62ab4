import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, Chart, Duration, Testing } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { CertManagerPKI, type CertManagerPKIProps } from '#lib/constructs/pki/cert-manager-pki';
import type { ResolvedValidity } from '#lib/constructs/pki/validity';
import { prepareTree } from '#lib/gitops/tree/prepare';
import { declarationsOf } from '#lib/gitops/tree/references';
import type { CertManagerVersion } from '#linkerd/releases/cert-manager';
import { findingsAt } from '../../support/findings';

/** A Kubernetes object as the tests look at it. */
export interface EmittedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly spec: Record<string, never>;
}

/** A chart with a cert-manager and a PKI. */
export function pkiChart(
  props: Omit<CertManagerPKIProps, 'certManager'> = {},
  version: CertManagerVersion = 'v1.21.1',
): { readonly chart: Chart; readonly certManager: CertManager; readonly pki: CertManagerPKI } {
  const chart = Testing.chart();
  const certManager = new CertManager(chart, 'cert-manager', { version });
  return { chart, certManager, pki: new CertManagerPKI(chart, 'pki', { certManager, ...props }) };
}

/** What would be emitted below the chart of a construct, errors or not. */
export function objectsOf(scope: Construct): readonly EmittedObject[] {
  prepareTree(scope.node.root, 'cdk8s');
  const constructs = Chart.of(scope).node.findAll();
  return constructs.filter(ApiObject.isApiObject).map((object) => object.toJson() as EmittedObject);
}

/** The one object of that kind and name. */
export function objectOf(scope: Construct, kind: string, name: string): EmittedObject {
  const [found, ...more] = objectsOf(scope).filter((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined || more.length > 0) throw new Error(`${more.length + 1} objects ${kind} ${name}, or none`);
  return found;
}

/** All warnings below a construct. */
export function allWarningsOf(scope: Construct): readonly Problem[] {
  return scope.node.findAll().flatMap((construct) => findingsAt(construct));
}

/** All references that are declared to exist elsewhere. */
export function externalsOf(scope: Construct): readonly object[] {
  return scope.node
    .findAll()
    .flatMap((construct) => declarationsOf(construct).flatMap(({ external = [] }) => external));
}

/** A window in hours. */
export function hours(duration: number, renewBefore: number): ResolvedValidity {
  return { duration: Duration.hours(duration), renewBefore: Duration.hours(renewBefore) };
}

/** A certificate or the like of `fixtures/`. */
export function fixture(name: string): string {
  return readFileSync(join(__dirname, 'fixtures', `${name}.pem`), 'utf8');
}
