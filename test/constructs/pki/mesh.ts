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

/** The fields of a Kubernetes object that tests read. */
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

/** Returns the objects of the chart of a construct, even if synth would refuse them. */
export function objectsOf(scope: Construct): readonly EmittedObject[] {
  prepareTree(scope.node.root, 'cdk8s');
  const constructs = Chart.of(scope).node.findAll();
  return constructs.filter(ApiObject.isApiObject).map((object) => object.toJson() as EmittedObject);
}

/** Returns the only object of a kind and a name. */
export function objectOf(scope: Construct, kind: string, name: string): EmittedObject {
  const [found, ...more] = objectsOf(scope).filter((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined || more.length > 0) throw new Error(`${more.length + 1} objects ${kind} ${name}, or none`);
  return found;
}

/** Returns all warnings at and below a construct. */
export function allWarningsOf(scope: Construct): readonly Problem[] {
  return scope.node.findAll().flatMap((construct) => findingsAt(construct));
}

/** Returns all references that are declared as external. */
export function externalsOf(scope: Construct): readonly object[] {
  return scope.node
    .findAll()
    .flatMap((construct) => declarationsOf(construct).flatMap(({ external = [] }) => external));
}

/** Returns a validity in hours. */
export function hours(duration: number, renewBefore: number): ResolvedValidity {
  return { duration: Duration.hours(duration), renewBefore: Duration.hours(renewBefore) };
}

/** Returns the text of a PEM file of `fixtures/`. */
export function fixture(name: string): string {
  return readFileSync(join(__dirname, 'fixtures', `${name}.pem`), 'utf8');
}
